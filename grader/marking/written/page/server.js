// Calls of the server, and the small things that all parts of the page need.
export const $ = (id) => document.getElementById(id);

// The question and the answers as they are shown; `all` holds the hidden ones too, `drafts` what was typed and not saved,
// `edited` the rubric that the editor began with, `listed` the answer that the list was last scrolled to.
export const state = {
  topic: "", cell: "", most: 0, rubric: [], comments: [], markers: [], all: [], answers: [], index: 0, whole: false,
  seen: new Set(), html: new Map(), drafts: new Map(), saving: false, saves: 0, edited: [], listed: null,
};

export async function call(name, method = "GET", body = null, more = {}) {
  const query = new URLSearchParams({ topic: state.topic, cell: state.cell, ...more });
  const headers = {
    "Content-Type": "application/json", "X-XSRFToken": document.body.dataset.xsrf, "X-Grader-Author": encodeURIComponent($("author").value),
  };
  try {
    const response = await fetch(`${document.body.dataset.base}/api/${name}?${query}`, { method, headers, body: body && JSON.stringify(body) });
    const data = await response.json().catch(() => ({ error: `The server answered ${response.status}.` }));
    return { status: response.status, data };
  } catch {
    return { status: 0, data: { error: "The server does not answer: is it still running? What you typed is still here." } };
  }
}

export function notice(text = "") {
  $("notice").textContent = text;
  $("notice").hidden = !text;
}

export function element(tag, text = "", attributes = {}) {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

export const current = () => state.answers[state.index];
export const groupOf = (answer) => state.answers.filter((other) => other.group === answer.group);
export const shown = () => (state.whole ? groupOf(current()) : [current()]);
export const when = (at) => at.slice(0, 16).replace("T", " ");
