import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import MarkdownIt from "markdown-it";
import { describe, expect, test } from "vitest";
import { type Target, targetOf, urlOf } from "../src/links.ts";
import { pages, ROOT } from "../src/pages.ts";
import { sidebar } from "../src/sidebar.ts";
import { slug } from "../src/slug.ts";

const md = new MarkdownIt({ html: true });

interface Page {
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly string[];
  readonly titles: number;
}

const read = new Map(pages().map((page) => [page, contentsOf(readFileSync(join(ROOT, page), "utf8"))]));

function contentsOf(text: string): Page {
  const anchors = new Set<string>();
  const links: string[] = [];
  let titles = 0;
  const tokens = md.parse(text, {});
  for (const [index, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      if (token.tag === "h1") titles += 1;
      anchors.add(free(slug(plain(tokens[index + 1])), anchors));
    }
    for (const child of token.children ?? []) {
      const href = child.type === "link_open" ? child.attrGet("href") : child.type === "image" && child.attrGet("src");
      if (typeof href === "string") links.push(decodeURI(href));
    }
  }
  return { anchors, links, titles };
}

function plain(inline: ReturnType<MarkdownIt["parse"]>[number] | undefined): string {
  const told = (inline?.children ?? []).filter(({ type }) => type === "text" || type === "code_inline");
  return told.map(({ content }) => content).join("");
}

/** If two headings are the same, the second gets a number. */
function free(anchor: string, taken: ReadonlySet<string>): string {
  for (let number = 0; ; number += 1) {
    const candidate = number === 0 ? anchor : `${anchor}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}

/** The faults of a page's links, one line each. */
function faults(page: string, { links }: Page): string[] {
  return links.flatMap((href) => {
    const target = targetOf(page, href);
    if (target.kind === "outside") return [];
    if (target.kind === "file") return existsSync(join(ROOT, target.path)) ? [] : [`${href}: there is no such file`];
    const { anchor } = target;
    const known = anchor === "" || read.get(target.page)?.anchors.has(anchor);
    return known ? [] : [`${href}: ${target.page} has no such heading`];
  });
}

describe.each([...read])("%s", (page, contents) => {
  test("leads somewhere with each link and anchor", () => {
    expect(faults(page, contents)).toEqual([]);
  });

  test("has one title", () => {
    expect(contents.titles).toBe(1);
  });
});

test("docs/README.md leads to every page of docs, and to all settings", () => {
  const index = "docs/README.md";
  const linked = new Set((read.get(index)?.links ?? []).map((href) => targetOf(index, href)).map(pageOf));
  const wanted = pages().filter((page) => /^docs\/[^/]+\.md$|^packages\/[^/]+\/docs\//.test(page) && page !== index);
  expect(wanted.filter((page) => !linked.has(page))).toEqual([]);
});

function pageOf(target: Target): string {
  return target.kind === "page" ? target.page : "";
}

test("every page is in the sidebar, once", () => {
  const listed = sidebar().flatMap(({ items }) => items.map(({ link }) => link));
  expect(listed.toSorted()).toEqual(pages().map(urlOf).toSorted());
});
