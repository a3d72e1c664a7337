// The marking page: one question, all students, keyboard first. The server decides; this page never keeps a mark of its own.
import { $, call, current, element, groupOf, notice, shown, state, when } from "./server.js";
import {
  allot, changeComments, changed, count, draft, editRubric, editedItems, editing, editorRow, fill, insertComment, listComments, listMarkers,
} from "./rubric.js";

// True for an answer that nobody has marked; one for a second mark has a first one, which is hidden.
const isUnmarked = (answer) => !answer.mark && !answer.blind;

const CHOICES = {
  all: () => true,
  mine: (answer) => !answer.marker || answer.marker === $("author").value,
  unmarked: isUnmarked,
  blind: (answer) => answer.blind,
  differs: (answer) => answer.compared === "differs",
  elsewhere: (answer) => answer.elsewhere !== null,
};

const inSection = (answer) => !$("section").value || answer.section === $("section").value;

async function loadQuestions() {
  const { status, data } = await call("questions");
  if (status !== 200) return notice(data.error);
  if (!$("author").value) $("author").value = localStorage.getItem("grader-author") ?? data.author;
  $("question").replaceChildren(...data.questions.map((one) =>
    element("option", one.title, { value: `${one.topic}/${one.cell}` })));
  if (data.questions.length) await loadQuestion($("question").value);
  else notice("Nobody has handed in a written answer yet: grader grade comes first.");
}

async function loadQuestion(name) {
  const fresh = name !== `${state.topic}/${state.cell}`;
  [state.topic, state.cell] = name.split("/");
  const { status, data } = await call("question");
  if (status !== 200) return notice(data.error);
  notice();
  const { most, rubric, comments, markers } = data;
  Object.assign(state, { most, rubric, comments, markers, all: data.answers, seen: new Set(), html: new Map() });
  if (fresh) state.drafts = new Map();
  $("most").textContent = `of ${most} points`;
  listSections();
  $("asked-text").innerHTML = (await call("texts", "POST", { texts: [data.question] })).data.html?.[0] ?? "";
  editRubric(data);
  listComments();
  tellAgreement(data.agreement);
  await choose();
}

function listSections() {
  const names = [...new Set(state.all.map((answer) => answer.section))].filter(Boolean).sort(), chosen = $("section").value;
  $("section").replaceChildren(element("option", "all", { value: "" }), ...names.map((name) => element("option", name, { value: name })));
  $("section").value = names.includes(chosen) ? chosen : "";
  $("section").parentElement.hidden = !names.length;
}

async function choose(student = "") {
  state.answers = state.all.filter((answer) => CHOICES[$("which").value](answer) && inSection(answer));
  const chosen = state.answers.findIndex((answer) => answer.student === student);
  state.index = Math.max(chosen >= 0 ? chosen : state.answers.findIndex(isUnmarked), 0);
  if (state.answers.length) return show();
  $("answers").replaceChildren();
  listAnswers();
  notice("There are no such answers: choose others under Show.");
}

function listAnswers() {
  const made = [];
  let group = -1;
  for (const [index, answer] of state.answers.entries()) {
    if (answer.group !== group) {
      group = answer.group;
      const size = groupOf(answer).length;
      const blank = !/[\p{L}\p{N}]/u.test(answer.text);
      made.push(element("h3", blank ? `No answer (${size})` : size > 1 ? `${size} answers alike` : "one of its kind"));
    }
    const button = element("button", "", { "aria-current": String(index === state.index) });
    button.append(element("span", answer.student), element("span", sign(answer)));
    button.onclick = () => go(index);
    made.push(button);
  }
  const list = $("list"), top = list.scrollTop;
  list.replaceChildren(...made);
  list.scrollTop = top;
  if (state.listed !== current()) scrollTo(list.querySelector("[aria-current=true]"), list);
  state.listed = current();
  const marked = state.all.filter((answer) => !isUnmarked(answer)).length;
  const hidden = state.all.length - state.answers.length;
  $("progress").textContent = `${marked} of ${state.all.length} marked${hidden ? `; ${hidden} are not shown here` : ""}`;
}

// Scroll a box to a row of it. The page itself stays where it is, and so does the list while somebody reads on in it.
function scrollTo(row, box) {
  if (!row) return;
  const { top, bottom } = row.getBoundingClientRect(), bounds = box.getBoundingClientRect();
  if (top < bounds.top) box.scrollTop += top - bounds.top;
  else if (bottom > bounds.bottom) box.scrollTop += bottom - bounds.bottom;
}

function sign(answer) {
  const others = (answer.opened ?? []).filter((name) => name !== $("author").value);
  const marks = answer.blind ? "second" : answer.mark ? answer.mark.points : "○";
  const flags = [others.length ? "open" : "", state.drafts.has(answer.student) ? "✎" : "", answer.elsewhere ? "⚠" : "", answer.compared === "differs" ? "≠" : ""];
  return [...flags.filter(Boolean), marks].join(" ");
}

const watcher = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    // A long answer never fits the screen; it was seen once its end was.
    const ended = entry.boundingClientRect.bottom <= window.innerHeight;
    if (entry.isIntersecting && (entry.intersectionRatio >= 0.6 || ended)) state.seen.add(entry.target.dataset.student);
  }
}, { threshold: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1] });

async function loadTexts(answers) {
  const missing = answers.filter((answer) => !state.html.has(answer.student));
  if (!missing.length) return;
  const { status, data } = await call("texts", "POST", { texts: missing.map((answer) => answer.text || "*(no answer)*") });
  if (status !== 200) return notice(data.error);
  missing.forEach((answer, index) => state.html.set(answer.student, data.html[index]));
}

async function show() {
  if (!state.answers.length) return;
  // The fields belong to the answer that is chosen from now on, whatever is pressed while its text is on the way.
  const answer = current(), kept = state.drafts.get(answer.student), shownNow = shown();
  fill(kept ?? answer.mark);
  $("last").textContent = answer.mark ? `${answer.mark.author}, ${when(answer.mark.at)} UTC` : "";
  listMarkers();
  listAnswers();
  await loadTexts(shownNow);
  if (answer !== current() || shownNow.length !== shown().length) return; // something else is shown meanwhile
  watcher.disconnect();
  const articles = shownNow.map(articleOf);
  $("answers").replaceChildren(...articles);
  articles.forEach((article) => watcher.observe(article));
  if (articles[0].getBoundingClientRect().top < 0) $("work").scrollIntoView(); // on a phone the buttons are far below
  if (kept) notice("These values are not saved yet.");
  if ($("past").open) await tellHistory();
  const { data } = await call("look", "POST", { student: answer.student });
  if (data.others?.length) notice(`${data.others.join(" and ")} has this answer open too. Whoever saves second sees both marks.`);
}

function articleOf(answer) {
  const article = element("article", "", { "data-student": answer.student });
  article.classList.toggle("current", answer === current());
  const text = element("div", "", { class: "text" });
  text.innerHTML = state.html.get(answer.student) ?? "";
  const heading = element("h3", answer.called ? `${answer.student} · ${answer.called}` : answer.student);
  article.append(heading, text, ...comparison(answer));
  article.querySelector("h3").append(element("span", facts(answer), { class: "soft" }));
  return article;
}

function facts(answer) {
  if (answer.blind) return "for a second mark: the first is hidden until you save yours";
  const mark = answer.mark;
  if (!mark) return "not marked";
  return `${mark.points} of ${state.most} by ${mark.author}, ${when(mark.at)}${mark.other_text ? " · marked for an earlier text" : ""}`;
}

function comparison(answer) {
  const lines = [], say = (mark) => `${mark.points ?? "no points"}${mark.comment ? `, “${mark.comment}”` : ""}`;
  const line = (text, values, label) => {
    const made = element("p", text, { class: "compared" }), use = element("button", label);
    use.onclick = () => { state.drafts.set(answer.student, values); return go(state.answers.indexOf(answer)); };
    made.append(" ", use);
    lines.push(made);
  };
  if (answer.elsewhere) {
    const at = answer.elsewhere.at ? ` on ${when(answer.elsewhere.at)} UTC` : "";
    const values = { items: [], adjustment: answer.elsewhere.points ?? 0, comment: answer.elsewhere.comment };
    line(`Changed in formgrader${at}: the gradebook has ${say(answer.elsewhere)}, and that counts until you save.`, values, "Use the gradebook's");
  }
  if (answer.compared) {
    const settled = answer.compared === "settled" ? `; settled by ${answer.mark.author}` : answer.compared === "differs" ? "; save to settle it" : "";
    line(`First ${answer.first.author}: ${say(answer.first)}. Second ${answer.second.author}: ${say(answer.second)}${settled}.`, answer.second, "Use the second");
  }
  return lines;
}

function tellAgreement(found) {
  if (!found) { $("agreement").textContent = "No answer has two marks yet."; return; }
  const kappa = found.kappa === null ? "kappa is not defined, since all points are equal" : `Cohen's weighted kappa ${found.kappa.toFixed(2)}`;
  $("agreement").textContent = `${found.answers} answers with two marks: ${Math.round(100 * found.equal)} % with equal points, `
    + `the second ${found.difference >= 0 ? "+" : ""}${found.difference.toFixed(2)} points on average, ${kappa}.`;
}

async function tellHistory() {
  const { status, data } = await call("history", "GET", null, { student: current().student });
  if (status !== 200) return notice(data.error);
  const say = (line) => {
    if (line.kind === "mark" || line.kind === "second") return `${line.kind === "second" ? "second mark by " : ""}${line.author}: ${line.points}${line.comment ? `, “${line.comment}”` : ""}`;
    return `formgrader or a script: ${line.kind} ${line.before ?? "none"} → ${line.after ?? "none"}`;
  };
  $("history").replaceChildren(...data.lines.map((line) => element("li", `${when(line.at)} ${say(line)}`)));
}

// Take what the server says of an answer; true if the mark was saved.
function took(answer, wanted, { status, data }) {
  if (status === 200) {
    Object.assign(answer, data, { blind: false });
    state.drafts.delete(answer.student);
    return true;
  }
  state.drafts.set(answer.student, wanted);
  if (status !== 409) { notice(data.error); return false; }
  const mine = `${$("points").textContent.slice(2)}${wanted.comment ? `, “${wanted.comment}”` : ""}`;
  const elsewhere = data.change !== answer.change && data.elsewhere;
  const theirs = elsewhere ? data.elsewhere : data.mark;
  Object.assign(answer, data);
  notice(`${answer.student} was ${elsewhere ? "changed in formgrader" : `marked by ${theirs?.author}`} meanwhile: ${theirs?.points ?? "no points"} of ${state.most}`
    + `${theirs?.comment ? `, “${theirs.comment}”` : ""}. Yours was not saved: ${mine}. Save again to replace theirs.`);
  return false;
}

const named = (answer) => ({ student: answer.student, seen: answer.mark?.version ?? 0, seen_change: answer.change });

// One save at a time: a second Enter while the first is on its way would mark the same answer again.
async function once(work) {
  if (state.saving || !current()) return;
  if (!Number.isFinite(draft().adjustment)) return notice("The points on top are no number: write them like 0.5 or -1.");
  state.saving = true;
  state.saves += 1;
  try { await work(); } finally { state.saving = false; }
}

async function save() {
  notice();
  const wanted = draft(), answer = current();
  if (!took(answer, wanted, await call("mark", "PUT", { ...named(answer), ...wanted }))) return showFacts();
  const last = answer === state.answers.at(-1);
  next(); // not awaited: the next may be saved
  if (last) notice(`That was the last answer here; ${state.all.filter(isUnmarked).length} of all have no mark.`);
}

function showFacts() {
  listAnswers();
  $("answers").querySelectorAll("article h3 span").forEach((span, index) => { span.textContent = facts(shown()[index]); });
}

async function saveGroup() {
  notice();
  const wanted = draft(), isWanted = current().blind ? (answer) => !answer.mark : isUnmarked;
  const members = groupOf(current()).filter((answer) => isWanted(answer) || answer === current());
  const unseen = members.filter((answer) => !state.seen.has(answer.student) && answer !== current());
  if (unseen.length) {
    state.drafts.set(current().student, wanted);
    state.whole = true;
    await show();
    return notice(`${unseen.length} answers of this group were not on the screen yet: look at them, then save again.`);
  }
  const reply = await call("group", "PUT", { answers: members.map(named), ...wanted });
  if (reply.status !== 200) return took(current(), wanted, reply);
  const last = state.answers.lastIndexOf(groupOf(current()).at(-1));
  const all = reply.data.results.map((result, index) => took(members[index], wanted, result)).every(Boolean);
  if (!all) return showFacts();
  state.whole = false;
  go(Math.min(last + 1, state.answers.length - 1));
}

function keepDraft() {
  if (current() && changed(current().mark)) state.drafts.set(current().student, draft());
  else if (current()) state.drafts.delete(current().student);
}

async function go(index, keep = false) {
  if (keep) keepDraft();
  state.index = Math.min(Math.max(index, 0), state.answers.length - 1);
  notice();
  await show();
}

const next = () => go(state.index + 1);
const step = (index) => go(index, true);

// The next answer without a mark, from here on and then from the beginning.
function nextUnmarked() {
  const { answers, index } = state, order = [...answers.keys()].map((number) => (index + 1 + number) % answers.length);
  const found = order.find((number) => isUnmarked(answers[number]));
  return found === undefined ? notice("Every answer that is shown here has a mark.") : step(found);
}

async function keepRubric() {
  const items = editedItems(), wrong = items.findIndex((item) => !Number.isFinite(item.points));
  if (wrong >= 0) return notice(`The points of item ${wrong + 1} are no number: write them like 0.5 or -1.`);
  await putRubric({ items, seen: state.edited });
}

async function putRubric(body) {
  keepDraft();
  const { status, data } = await call("rubric", "PUT", body);
  if (status !== 200) {
    await refresh();
    state.edited = state.rubric; // they see it now, and may replace it
    return notice(data.error);
  }
  const student = current()?.student;
  await loadQuestion(`${state.topic}/${state.cell}`);
  await choose(student);
}

async function refresh() {
  if (!state.topic || document.hidden || state.saving) return;
  const before = state.saves;
  const { status, data } = await call("question", "GET", null, { texts: "0" });
  if (before !== state.saves) return; // older than what was saved meanwhile
  if (status !== 200) return notice(data.error);
  const fresh = new Map(data.answers.map((answer) => [answer.student, answer]));
  for (const answer of state.all) {
    const newer = fresh.get(answer.student);
    if (!newer) continue;
    const { opened, marker } = newer;
    // What is being worked on is not changed under one's hands, except for what the same mark earns by a new rubric.
    const same = newer.mark?.version === answer.mark?.version && newer.change === answer.change;
    Object.assign(answer, answer === current() && !same ? { opened, marker } : { ...newer, group: answer.group });
  }
  state.comments = data.comments;
  listComments();
  tellAgreement(data.agreement);
  listAnswers();
  if (JSON.stringify([data.rubric, data.most]) !== JSON.stringify([state.rubric, state.most])) followRubric(data);
  if (current()) await call("look", "POST", { student: current().student });
}

// Show a rubric that somebody else changed; what is typed on this page stays.
function followRubric(data) {
  keepDraft();
  const typed = editing();
  Object.assign(state, { rubric: data.rubric, most: data.most });
  $("most").textContent = `of ${data.most} points`;
  if (!typed) editRubric(data);
  if (current()) {
    fill(state.drafts.get(current().student) ?? current().mark);
    showFacts();
  }
  notice("Somebody changed the rubric, and all marks were computed anew.");
}

document.addEventListener("keydown", (event) => {
  const writing = ["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName) && event.target.type !== "checkbox";
  if (event.key === "Escape") return event.target.blur();
  if (writing && !(event.target.id === "comment" && event.key === "Enter" && (event.ctrlKey || event.metaKey))) return;
  if (event.altKey || ((event.ctrlKey || event.metaKey) && event.key !== "Enter") || !current()) return;
  const keys = {
    ArrowDown: () => step(state.index + 1), j: () => step(state.index + 1), ArrowUp: () => step(state.index - 1), k: () => step(state.index - 1),
    n: nextUnmarked,
    g: () => { keepDraft(); state.whole = !state.whole; return show(); },
    c: () => $("comment").focus(),
    a: () => changeComments({ text: $("comment").value }),
    t: () => allot($("author").value),
    Enter: () => once(event.shiftKey ? saveGroup : save),
    0: () => { $("items").querySelectorAll("input").forEach((box) => { box.checked = false; }); count(); },
  };
  // The digit's place on the keyboard: with Shift its sign differs from one layout to another.
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1];
  const box = !event.shiftKey && digit ? $("items").querySelectorAll("input")[Number(digit) - 1] : null;
  if (event.shiftKey && digit) insertComment(Number(digit) - 1);
  else if (box) { box.checked = !box.checked; count(); }
  else if (keys[event.key]) keys[event.key]();
  else return;
  event.preventDefault();
});

window.addEventListener("beforeunload", (event) => {
  keepDraft();
  if (state.drafts.size) event.preventDefault();
});
$("question").onchange = () => loadQuestion($("question").value);
$("which").onchange = $("section").onchange = () => { keepDraft(); notice(); return choose(current()?.student); };
$("author").onchange = () => {
  localStorage.setItem("grader-author", $("author").value);
  if (state.topic) return loadQuestion(`${state.topic}/${state.cell}`); // what is hidden depends on who looks
};
$("adjustment").oninput = count;
$("keep-comment").onclick = () => changeComments({ text: $("comment").value });
$("marker").onchange = () => allot($("marker").value);
$("take").onclick = () => allot($("author").value);
$("save").onclick = () => once(save);
$("save-group").onclick = () => once(saveGroup);
$("add").onclick = () => $("editor").append(editorRow({ id: 0, text: "", points: 1 }));
$("keep").onclick = keepRubric;
$("take-rubric").onclick = () => putRubric({});
$("past").ontoggle = () => { if ($("past").open && current()) return tellHistory(); };
setInterval(refresh, 5000);
await loadQuestions();
