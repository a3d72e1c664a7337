// The rubric's items to give and to change, kept comments, and who marks what.
import { $, call, current, element, notice, shown, state } from "./server.js";

// The number in a field, 0 if it is empty. A comma is what many keyboards have for the point.
export const parseNumber = (field) => Number(field.value.trim().replace(",", "."));

export function draft() {
  const items = [...$("items").querySelectorAll("input:checked")].map((box) => Number(box.value));
  return { items, adjustment: parseNumber($("adjustment")), comment: $("comment").value };
}

export function changed(mark) {
  const now = draft(), before = { items: mark?.items ?? [], adjustment: mark?.adjustment ?? 0, comment: mark?.comment ?? "" };
  const key = (one) => JSON.stringify([[...one.items].sort((a, b) => a - b), one.adjustment, one.comment.trim()]);
  return key(now) !== key(before);
}

export function fill(values) {
  const given = new Set(values?.items ?? []);
  $("items").replaceChildren(...state.rubric.map((item, index) => {
    const line = element("li"), label = element("label"), box = element("input", "", { type: "checkbox", value: item.id });
    box.checked = given.has(item.id);
    box.onchange = count;
    label.append(box, element("kbd", index < 9 ? String(index + 1) : ""), element("span", item.text), element("span", `${item.points > 0 ? "+" : ""}${item.points}`));
    line.append(label);
    return line;
  }));
  $("adjustment").value = values?.adjustment ?? 0;
  $("comment").value = values?.comment ?? "";
  count();
}

export function count() {
  const wanted = draft();
  const points = state.rubric.filter((item) => wanted.items.includes(item.id)).reduce((sum, item) => sum + item.points, wanted.adjustment);
  $("points").textContent = Number.isNaN(points) ? "is no number" : `= ${Math.min(Math.max(points, 0), state.most)} of ${state.most}`;
}

export function listComments() {
  $("comments").replaceChildren(...state.comments.map((comment, index) => {
    const line = element("li"), insert = element("button", "", { title: `kept by ${comment.author}` });
    insert.append(element("kbd", index < 9 ? `⇧${index + 1}` : ""), element("span", comment.text));
    insert.onclick = () => insertComment(index);
    const away = element("button", "✕", { title: "take off the list" });
    away.onclick = () => changeComments({ drop: comment.id });
    line.append(insert, away);
    return line;
  }));
}

export function insertComment(index) {
  const comment = state.comments[index];
  if (!comment) return;
  const before = $("comment").value.trim();
  $("comment").value = before ? `${before}\n${comment.text}` : comment.text;
}

export async function changeComments(body) {
  const { status, data } = await call("comments", "PUT", body);
  if (status !== 200) return notice(data.error);
  state.comments = data.comments;
  listComments();
}

export function listMarkers() {
  const names = [...new Set([...state.markers, $("author").value, current()?.marker ?? ""])].filter(Boolean).sort();
  $("marker").replaceChildren(element("option", "anybody", { value: "" }), ...names.map((name) => element("option", name, { value: name })));
  $("marker").value = current()?.marker ?? "";
}

export async function allot(marker) {
  const answers = shown();
  const { status, data } = await call("allot", "PUT", { students: answers.map((answer) => answer.student), marker });
  if (status !== 200) return notice(data.error);
  answers.forEach((answer) => { answer.marker = marker; });
  listMarkers();
}

export function editRubric(data) {
  const rows = (state.rubric.length ? state.rubric : [{ id: 0, text: "", points: 1 }]).map(editorRow);
  $("editor").replaceChildren(...rows);
  state.edited = state.rubric;
  const from = { "the lesson": "The lesson's reference rubric.", "course.toml": "The rubric of course.toml.", "the page": "Changed in this page." };
  $("rubric-from").textContent = from[data.rubric_from] ?? "There is no rubric yet.";
  if (data.offered) $("rubric-from").textContent += ` The rubric of ${data.offered} was changed after that.`;
  $("rubric-note").textContent = data.rubric_note;
  $("take-rubric").hidden = !data.offered;
  $("take-rubric").textContent = `Take that of ${data.offered}`;
}

export function editorRow(item) {
  const row = element("div", "", { class: "item", "data-id": item.id });
  const text = element("input", "", { name: "text", "aria-label": "what it is given for" });
  const points = element("input", "", { name: "points", inputmode: "decimal", "aria-label": "points" });
  const away = element("button", "✕", { title: "remove" });
  [text.value, points.value] = [item.text, item.points];
  away.onclick = () => row.remove();
  row.append(text, points, away);
  return row;
}

export function editedItems() {
  const known = new Set(state.rubric.map((item) => item.id)); // an item that somebody else removed is a new one
  return [...$("editor").children].map((row) => {
    const id = Number(row.dataset.id);
    return { id: known.has(id) ? id : 0, text: row.children[0].value, points: row.children[1].value.trim() ? parseNumber(row.children[1]) : NaN };
  });
}

// True if somebody typed into the editor and has not kept it.
export function editing() {
  const key = (items) => JSON.stringify(items.map((item) => [item.text, item.points]));
  return state.edited.length > 0 && key(editedItems()) !== key(state.edited);
}
