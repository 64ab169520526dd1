import { html, type Html } from "./html.ts";

/**
 * `used`, `borrowed` and `others` are drawn side by side. `guarantee` is a line. At `ceiling` the bar ends, because the queue
 * gets no more.
 */
export interface BarPart {
  readonly kind: "used" | "borrowed" | "others" | "guarantee" | "ceiling";
  /** Of the whole, from 0 to 1. */
  readonly fraction: number;
}

/**
 * Shows as a bar how much is used. Shapes have their sizes as attributes, because the page's Content-Security-Policy forbids
 * inline styles.
 */
export function bar(label: string, parts: readonly BarPart[]): Html {
  let from = 0;
  const shapes = parts.map(({ kind, fraction }) => {
    const size = Math.min(1, Math.max(0, fraction));
    if (kind === "guarantee") return line(kind, size);
    if (kind === "ceiling") {
      const beyond = html`<rect class="closed" x="${percent(size)}" width="${percent(1 - size)}" height="100%" />`;
      return html`${beyond}${line(kind, size)}`;
    }
    const start = from;
    from = Math.min(1, from + size);
    return html`<rect class="${kind}" x="${percent(start)}" width="${percent(from - start)}" height="100%" />`;
  });
  return html`<svg class="bar" role="img" aria-label="${label}">${shapes}</svg>`;
}

/** A line that can be seen at the right edge, too. */
function line(kind: string, at: number): Html {
  return html`<rect class="${kind}" x="${percent(Math.min(at, 0.99))}" width="1%" height="100%" />`;
}

export function percent(fraction: number): string {
  return `${Math.round(fraction * 1000) / 10}%`;
}
