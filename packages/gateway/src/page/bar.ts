import { html, type Html } from "./html.ts";

interface BarPart {
  readonly kind: "used" | "others" | "guarantee" | "ceiling";
  /** Of the whole, from 0 to 1. */
  readonly fraction: number;
}

/**
 * What is used of something, as a bar; used parts lie side by side, a guarantee and a ceiling are lines. Shapes have their
 * sizes as attributes: styles in attributes are what the page's policy forbids.
 */
export function bar(label: string, parts: readonly BarPart[]): Html {
  let from = 0;
  const shapes = parts.map(({ kind, fraction }) => {
    const size = Math.min(1, Math.max(0, fraction));
    if (kind === "guarantee" || kind === "ceiling") {
      return html`<rect class="${kind}" x="${percent(Math.min(size, 0.99))}" width="1%" height="100%" />`;
    }
    const start = from;
    from = Math.min(1, from + size);
    return html`<rect class="${kind}" x="${percent(start)}" width="${percent(from - start)}" height="100%" />`;
  });
  return html`<svg class="bar" role="img" aria-label="${label}">${shapes}</svg>`;
}

export function percent(fraction: number): string {
  return `${Math.round(fraction * 1000) / 10}%`;
}
