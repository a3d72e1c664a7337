// The marking page: one question, all students, keyboard first. The server decides; this page never keeps a mark of its own.
const $ = (id) => document.getElementById(id);
const base = document.body.dataset.base;
const state = { topic: "", cell: "", most: 0, rubric: [], answers: [], index: 0, whole: false, seen: new Set(), html: new Map() };

async function call(name, method = "GET", body = null, more = {}) {
  const query = new URLSearchParams({ topic: state.topic, cell: state.cell, ...more });
  const headers = { "Content-Type": "application/json", "X-XSRFToken": document.body.dataset.xsrf, "X-Grader-Author": $("author").value };
  const response = await fetch(`${base}/api/${name}?${query}`, { method, headers, body: body && JSON.stringify(body) });
  const data = await response.json().catch(() => ({ error: `The server answered ${response.status}.` }));
  return { status: response.status, data };
}

function notice(text = "") {
  $("notice").textContent = text;
  $("notice").hidden = !text;
}

function element(tag, text = "", attributes = {}) {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

const current = () => state.answers[state.index];
const shown = () => (state.whole ? state.answers.filter((answer) => answer.group === current().group) : [current()]);

async function loadQuestions() {
  const { status, data } = await call("questions");
  if (status !== 200) return notice(data.error);
  if (!$("author").value) $("author").value = localStorage.getItem("grader-author") ?? data.author;
  $("question").replaceChildren(...data.questions.map((one) =>
    element("option", `${one.title} (${one.marked} of ${one.answers + one.blank} marked)`, { value: `${one.topic}/${one.cell}` })));
  if (data.questions.length) await loadQuestion($("question").value);
  else notice("Nobody has handed in a written answer yet: grader grade comes first.");
}

async function loadQuestion(name) {
  [state.topic, state.cell] = name.split("/");
  const { status, data } = await call("question");
  if (status !== 200) return notice(data.error);
  notice();
  Object.assign(state, { most: data.most, rubric: data.rubric, answers: data.answers, index: 0, seen: new Set(), html: new Map() });
  const unmarked = state.answers.findIndex((answer) => !answer.mark);
  state.index = Math.max(unmarked, 0);
  $("most").textContent = `of ${data.most} points`;
  $("asked-text").innerHTML = (await call("text", "POST", { text: data.question })).data.html ?? "";
  editRubric();
  await show();
}

function listAnswers() {
  const made = [];
  let group = -1;
  for (const [index, answer] of state.answers.entries()) {
    if (answer.group !== group) {
      group = answer.group;
      const size = state.answers.filter((one) => one.group === group).length;
      const blank = !/[\p{L}\p{N}]/u.test(answer.text);
      made.push(element("h3", blank ? `No answer (${size})` : size > 1 ? `${size} answers alike` : "one of its kind"));
    }
    const button = element("button", "", { "aria-current": String(index === state.index) });
    button.append(element("span", answer.student), element("span", sign(answer)));
    button.onclick = () => go(index);
    made.push(button);
  }
  $("list").replaceChildren(...made);
  $("list").querySelector("[aria-current=true]")?.scrollIntoView({ block: "nearest" });
  const marked = state.answers.filter((answer) => answer.mark).length;
  $("progress").textContent = `${marked} of ${state.answers.length} marked`;
}

function sign(answer) {
  const others = (answer.opened ?? []).filter((name) => name !== $("author").value);
  return `${others.length ? "👁 " : ""}${answer.mark ? answer.mark.points : "○"}`;
}

const watcher = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) state.seen.add(entry.target.dataset.student);
}, { threshold: 0.6 });

async function show() {
  if (!state.answers.length) return;
  watcher.disconnect();
  const articles = [];
  for (const answer of shown()) {
    const article = element("article", "", { "data-student": answer.student });
    article.classList.toggle("current", answer === current());
    const head = element("h3", answer.student);
    head.append(element("span", facts(answer), { class: "soft" }));
    const text = element("div", "", { class: "text" });
    if (!state.html.has(answer.student)) {
      state.html.set(answer.student, (await call("text", "POST", { text: answer.text || "*(no answer)*" })).data.html ?? "");
    }
    text.innerHTML = state.html.get(answer.student);
    article.append(head, text);
    articles.push(article);
  }
  $("answers").replaceChildren(...articles);
  articles.forEach((article) => watcher.observe(article));
  fill(current().mark);
  listAnswers();
  const { data } = await call("look", "POST", { student: current().student });
  if (data.others?.length) notice(`${data.others.join(" and ")} has this answer open too. Whoever saves second sees both marks.`);
}

function facts(answer) {
  const mark = answer.mark;
  if (!mark) return "not marked";
  const told = [`${mark.points} of ${state.most} by ${mark.author}`];
  if (mark.elsewhere !== null) told.push(`formgrader has ${mark.elsewhere}`);
  if (mark.other_text) told.push("marked for an earlier text");
  return told.join(" · ");
}

function fill(mark) {
  const given = new Set(mark?.items ?? []);
  $("items").replaceChildren(...state.rubric.map((item, index) => {
    const line = element("li"), label = element("label"), box = element("input", "", { type: "checkbox", value: item.id });
    box.checked = given.has(item.id);
    box.onchange = count;
    label.append(box, element("kbd", index < 9 ? String(index + 1) : ""), element("span", item.text), element("span", `${item.points > 0 ? "+" : ""}${item.points}`));
    line.append(label);
    return line;
  }));
  $("adjustment").value = mark?.adjustment ?? 0;
  $("comment").value = mark?.comment ?? "";
  const used = [...new Set(state.answers.map((answer) => answer.mark?.comment).filter(Boolean))].sort();
  $("used").replaceChildren(element("option", "", { value: "" }), ...used.map((text) => element("option", text, { value: text })));
  $("last").textContent = mark ? `${mark.author}, ${mark.at}` : "";
  count();
}

function draft() {
  const items = [...$("items").querySelectorAll("input:checked")].map((box) => Number(box.value));
  return { items, adjustment: Number($("adjustment").value || 0), comment: $("comment").value };
}

function count() {
  const wanted = draft();
  const points = state.rubric.filter((item) => wanted.items.includes(item.id)).reduce((sum, item) => sum + item.points, wanted.adjustment);
  $("points").textContent = `= ${Math.min(Math.max(points, 0), state.most)} of ${state.most}`;
}

async function saveOne(answer, wanted) {
  const { status, data } = await call("mark", "PUT", { student: answer.student, seen: answer.mark?.version ?? 0, ...wanted });
  if (status === 200) {
    answer.mark = data;
    return true;
  }
  if (status === 409) {
    const mine = `${$("points").textContent.slice(2)}${wanted.comment ? `, “${wanted.comment}”` : ""}`;
    answer.mark = data.current;
    notice(`${answer.student} was marked by ${data.current.author} meanwhile: ${data.current.points} of ${state.most}`
      + `${data.current.comment ? `, “${data.current.comment}”` : ""}. Yours was not saved: ${mine}. Save again to replace theirs.`);
  } else {
    notice(data.error);
  }
  return false;
}

async function save() {
  notice();
  const wanted = draft();
  if (await saveOne(current(), wanted)) return next();
  const kept = notice_text();
  listAnswers();
  $("answers").querySelectorAll("article h3 span").forEach((span, index) => { span.textContent = facts(shown()[index]); });
  notice(kept);
}

const notice_text = () => $("notice").textContent;

async function saveGroup() {
  notice();
  const wanted = draft();
  const members = state.answers.filter((answer) => answer.group === current().group);
  const unseen = members.filter((answer) => !state.seen.has(answer.student) && answer !== current());
  if (unseen.length) {
    state.whole = true;
    await show();
    return notice(`${unseen.length} answers of this group were not on the screen yet: look at them, then save again.`);
  }
  for (const answer of members) if (!(await saveOne(answer, wanted))) return listAnswers();
  state.whole = false;
  const last = state.answers.lastIndexOf(members.at(-1));
  await go(Math.min(last + 1, state.answers.length - 1));
}

async function go(index) {
  state.index = Math.min(Math.max(index, 0), state.answers.length - 1);
  notice();
  await show();
}

async function next() {
  await go(state.index + 1);
}

function editRubric() {
  const rows = (state.rubric.length ? state.rubric : [{ id: 0, text: "", points: 1 }]).map(editorRow);
  $("editor").replaceChildren(...rows);
}

function editorRow(item) {
  const row = element("div", "", { class: "item", "data-id": item.id });
  const text = element("input", "", { name: "text", "aria-label": "what it is given for" });
  const points = element("input", "", { name: "points", type: "number", step: "0.25", "aria-label": "points" });
  const away = element("button", "✕", { title: "remove" });
  [text.value, points.value] = [item.text, item.points];
  away.onclick = () => row.remove();
  row.append(text, points, away);
  return row;
}

async function keepRubric() {
  const items = [...$("editor").children].map((row) => ({
    id: Number(row.dataset.id), text: row.children[0].value, points: Number(row.children[1].value || 0),
  }));
  const { status, data } = await call("rubric", "PUT", { items });
  if (status !== 200) return notice(data.error);
  const student = current()?.student;
  await loadQuestion(`${state.topic}/${state.cell}`);
  await go(Math.max(state.answers.findIndex((answer) => answer.student === student), 0));
}

async function refresh() {
  if (!state.topic || document.hidden) return;
  const { status, data } = await call("question");
  if (status !== 200) return;
  const fresh = new Map(data.answers.map((answer) => [answer.student, answer]));
  for (const answer of state.answers) {
    const newer = fresh.get(answer.student);
    if (!newer) continue;
    answer.opened = newer.opened;
    if (answer !== current()) answer.mark = newer.mark; // what is being worked on is not changed under one's hands
  }
  listAnswers();
  await call("look", "POST", { student: current().student });
}

document.addEventListener("keydown", (event) => {
  const writing = ["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName) && event.target.type !== "checkbox";
  if (event.key === "Escape") return event.target.blur();
  if (writing && !(event.target.id === "comment" && event.key === "Enter" && (event.ctrlKey || event.metaKey))) return;
  if (event.altKey || ((event.ctrlKey || event.metaKey) && event.key !== "Enter")) return;
  const keys = {
    ArrowDown: next, j: next, ArrowUp: () => go(state.index - 1), k: () => go(state.index - 1),
    n: () => go(Math.max(state.answers.findIndex((answer) => !answer.mark), 0)),
    g: () => { state.whole = !state.whole; return show(); },
    c: () => $("comment").focus(),
    Enter: () => (event.shiftKey ? saveGroup() : save()),
    0: () => { $("items").querySelectorAll("input").forEach((box) => { box.checked = false; }); count(); },
  };
  const box = /^[1-9]$/.test(event.key) ? $("items").querySelectorAll("input")[Number(event.key) - 1] : null;
  if (box) { box.checked = !box.checked; count(); }
  else if (keys[event.key]) keys[event.key]();
  else return;
  event.preventDefault();
});

$("question").onchange = () => loadQuestion($("question").value);
$("author").onchange = () => localStorage.setItem("grader-author", $("author").value);
$("adjustment").oninput = count;
$("used").onchange = () => { $("comment").value = $("used").value; };
$("save").onclick = save;
$("save-group").onclick = saveGroup;
$("add").onclick = () => $("editor").append(editorRow({ id: 0, text: "", points: 1 }));
$("keep").onclick = keepRubric;
setInterval(refresh, 5000);
await loadQuestions();
