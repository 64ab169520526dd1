import type { MarkdownOptions } from "vitepress";
import { pastedParts } from "./console-lines.ts";

type Transformer = NonNullable<MarkdownOptions["codeTransformers"]>[number];
type Code = Parameters<NonNullable<Transformer["code"]>>[0];
type Node = Code["children"][number];
type Element = Extract<Node, { type: "element" }>;

/** The name in pages; the highlighter uses another one. */
const CONSOLE = "console";

/** What VitePress's copy button leaves out. */
const LEFT_OUT = "vp-copy-ignore";

/** Makes the copy button of console blocks copy only the commands, without prompts and output. */
export const copyCommands: Transformer = {
  name: "kindling:copy-commands",
  code(code) {
    if (this.options.lang !== CONSOLE) return;
    const lines = code.children.filter((node) => node.type === "element");
    const parts = pastedParts(lines.map(textOf));
    const last = parts.findLastIndex((part) => part !== undefined);
    let index = -1;
    code.children = code.children.map((node): Node => {
      if (node.type === "element") {
        index += 1;
        const part = parts[index];
        return part === undefined ? leftOut([node]) : { ...node, children: withOnly(node.children, part) };
      }
      // The line end belongs to the line, and the reader starts the last command.
      return parts[index] === undefined || index >= last ? leftOut([node]) : node;
    });
  },
};

/** The children of a line, with only the given part of the text. */
function withOnly(children: readonly Node[], { from, to }: { readonly from: number; readonly to: number }): Node[] {
  let at = 0;
  return children.flatMap((child): Node[] => {
    const text = textOf(child);
    const start = at;
    at += text.length;
    const [a, b] = [clamp(from - start, text.length), clamp(to - start, text.length)];
    const pieces = [
      { text: text.slice(0, a), isKept: false },
      { text: text.slice(a, b), isKept: true },
      { text: text.slice(b), isKept: false },
    ];
    return pieces.flatMap(({ text: piece, isKept }) => {
      if (piece === "") return [];
      const node = withText(child, piece);
      return isKept ? node : leftOut([node]);
    });
  });
}

function clamp(place: number, length: number): number {
  return Math.min(length, Math.max(0, place));
}

/** The same with another text; highlighted pieces contain only text. */
function withText(node: Node, value: string): Node {
  return node.type === "element" ? { ...node, children: [{ type: "text", value }] } : { type: "text", value };
}

function leftOut(children: readonly Node[]): Element {
  return {
    type: "element",
    tagName: "span",
    properties: { class: LEFT_OUT },
    children: children as Element["children"],
  };
}

function textOf(node: Node): string {
  if (node.type === "text") return node.value;
  return node.type === "element" ? node.children.map(textOf).join("") : "";
}
