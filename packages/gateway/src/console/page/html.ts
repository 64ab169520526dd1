import { harmlessText } from "@kindling/core-spec";

/** A piece of a page: text in it has been escaped. Only `html` makes one. */
export class Html {
  readonly text: string;

  /** @param text markup for the browser */
  constructor(text: string) {
    this.text = text;
  }
}

/** What a page can contain; a string is shown as text, never as markup. */
export type Content = Html | string | number | false | undefined | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Puts contents into markup, as the text of elements or inside quoted attributes. */
export function html(markup: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(markup.map((part, index) => part + textOf(contents[index])).join(""));
}

function textOf(content: Content): string {
  if (content === undefined || content === false) return "";
  if (content instanceof Html) return content.text;
  if (typeof content === "object") return content.map(textOf).join("");
  // Names come from other people: they must not change the direction of the text beside them.
  return harmlessText(String(content)).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
