"use strict";
/* Put behind the page of `mondo size --html`: uses it as a person would, and leaves what it saw
   as JSON in an element that the test reads. */
{
const seen = { errors: [] };
addEventListener("error", (event) => seen.errors.push(String(event.message)));
addEventListener("securitypolicyviolation", (event) => seen.errors.push(`refused ${event.blockedURI}`));

const all = (selector) => [...document.querySelectorAll(selector)];
const one = (selector) => document.querySelector(selector);
const crumbs = () => all("nav button").map((it) => it.textContent);
const boxes = () => all("button.box");
const key = (name) =>
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));

/* What a finger at this place of an element would touch gets the click. */
function touch(element, x, y) {
  element.scrollIntoView({ block: "nearest" });
  const box = element.getBoundingClientRect();
  const hit = document.elementFromPoint(box.left + x, box.top + y);
  hit.click();
  return hit;
}

function parse(color) {
  const [r, g, b, a = 1] = color.match(/[\d.]+/g).map(Number);
  return { rgb: [r, g, b], a };
}
const over = (top, alpha, below) => top.map((it, at) => it * alpha + below[at] * (1 - alpha));
function luminance(rgb) {
  const [r, g, b] = rgb.map((it) => (it /= 255) <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
/* The ratio of WCAG 2, of a colour on what lies below an element. */
function contrast(color, element) {
  const layers = [];
  let { rgb, a } = parse(color);
  for (let at = element; at; at = at.parentElement) {
    const style = getComputedStyle(at);
    const back = parse(style.backgroundColor);
    if (back.a) layers.push(back);
    if (back.a === 1) break;
    a *= Number(style.opacity);
  }
  const back = layers.reverse().reduce((below, layer) => over(layer.rgb, layer.a, below), [255, 255, 255]);
  const lights = [luminance(over(rgb, a, back)), luminance(back)].sort((x, y) => y - x);
  return (lights[0] + 0.05) / (lights[1] + 0.05);
}

/* What cannot be read at this moment: pale, cut off, beside the screen, or over each other. */
function unreadable(where) {
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode, element = text.parentElement;
    if (!text.data.trim() || !element.getClientRects().length || element.closest(".faded")) continue;
    const ratio = contrast(getComputedStyle(element).color, element);
    seen.contrast = Math.min(seen.contrast ?? 21, ratio);
    if (ratio < 4.5) found.push(`contrast ${ratio.toFixed(2)}: ${text.data}`);
  }
  const hint = contrast(getComputedStyle(one("#find"), "::placeholder").color, one("#find"));
  if (hint < 4.5) found.push(`contrast ${hint.toFixed(2)}: the hint of the search`);
  for (const name of all(".name")) {
    const inner = name.getBoundingClientRect(), outer = name.parentElement.getBoundingClientRect();
    if (inner.right > outer.right + 0.5 || inner.bottom > outer.bottom + 0.5) found.push(`cut off: ${name.textContent}`);
  }
  let bottom = -Infinity;
  for (const block of all("h1, nav, label, #map, #said, ol, footer")) {
    const box = block.getBoundingClientRect();
    if (box.right > innerWidth + 0.5 || block.scrollWidth > block.clientWidth + 1) found.push(`too wide: ${block.tagName}`);
    if (block.scrollHeight > block.clientHeight + 1 || box.top < bottom - 0.5) found.push(`overlaps: ${block.tagName}`);
    bottom = box.bottom;
  }
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways");
  for (const control of all("nav button, input, li button")) {
    const box = control.getBoundingClientRect();
    if (box.width < 44 || box.height < 44) found.push(`small for a finger: ${control.textContent || "the search"}`);
  }
  seen.unreadable.push(...found.map((it) => `${where}: ${it}`));
}

function drive() {
  seen.width = innerWidth;
  seen.dark = matchMedia("(prefers-color-scheme: dark)").matches && luminance(parse(getComputedStyle(document.body).backgroundColor).rgb) < 0.1;
  seen.title = one("h1").textContent;
  seen.unreadable = [];
  unreadable("at first");

  const first = boxes()[0];
  seen.first = first.dataset.name;
  seen.touched = touch(first, 10, 10) === first;
  seen.entered = crumbs();
  seen.focused = document.activeElement.classList.contains("box");
  unreadable("inside");
  key("Escape");
  seen.left = crumbs();
  seen.returned = document.activeElement.dataset.name;

  /* What is shown deep inside is one click away, and so is the way back. */
  const map = one("#map");
  const deep = touch(map, map.clientWidth / 3, map.clientHeight / 2);
  seen.deep = deep.dataset.name;
  seen.deeper = crumbs();
  unreadable("deep inside");
  touch(all("nav button")[0], 22, 22);
  seen.back = crumbs();

  /* Through the list to where there are many boxes side by side. */
  while (boxes().length < 5 && crumbs().length < 6) one("li button").click();
  unreadable("a library");
  const area = (it) => it.offsetWidth * it.offsetHeight;
  const sides = boxes();
  seen.parts = sides.slice(0, 4).map((it) => ({ name: it.dataset.name, area: area(it) }));
  seen.covered = sides.reduce((sum, it) => sum + area(it), 0) / area(map);
  seen.reached = [...sides, ...all("nav button, li button, input")].every((it) => {
    it.focus();
    return document.activeElement === it && it.tabIndex === 0 && getComputedStyle(it).outlineStyle === "solid";
  });
  sides[0].focus();
  key("ArrowRight");
  seen.moved = document.activeElement !== sides[0] && document.activeElement.offsetLeft > sides[0].offsetLeft;

  touch(all("nav button")[0], 22, 22);
  document.activeElement.blur();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true, cancelable: true }));
  seen.finding = document.activeElement === one("#find");
  one("#find").value = "libMLIRIR.a";
  one("#find").dispatchEvent(new Event("input", { bubbles: true }));
  seen.hits = all(".hit").map((it) => it.dataset.name);
  seen.faded = all(".faded").length;
  seen.listed = all("li span").map((it) => it.textContent);
  unreadable("searching");
  key("Escape");
  seen.cleared = one("#find").value === "" && all(".faded").length === 0;

  seen.requests = performance.getEntriesByType("resource").map((it) => it.name);
}

/* After the page's own first frame, if there is one by then. */
addEventListener("load", () => setTimeout(() => {
  try { drive(); } catch (error) { seen.errors.push(`the test: ${error.stack}`); }
  const shown = document.createElement("pre");
  shown.id = "seen";
  shown.textContent = JSON.stringify(seen).replace(/[^ -%'-;=?-~]/g, (it) => "\\u" + it.charCodeAt(0).toString(16).padStart(4, "0"));
  document.body.append(shown);
}, 300));
}
