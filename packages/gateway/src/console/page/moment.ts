import { html, type Html } from "./html.ts";

/** A moment: the browser's script shows how long ago it was. */
export function ageSince(milliseconds: number): Html {
  const text = isoText(milliseconds);
  return html`<time datetime="${text}" title="${text}">${text.slice(0, 19).replace("T", " ")} UTC</time>`;
}

/** A moment: the browser's script shows it as its user's clock does. */
export function clockTime(milliseconds: number): Html {
  const text = isoText(milliseconds);
  return html`<time class="clock" datetime="${text}" title="${text}">${text.slice(11, 16)} UTC</time>`;
}

/** A moment in full: the browser's script shows it as its user writes dates. */
export function exactTime(milliseconds: number): Html {
  const text = isoText(milliseconds);
  return html`<time class="exact" datetime="${text}" title="${text}">${text.slice(0, 19).replace("T", " ")} UTC</time>`;
}

function isoText(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
