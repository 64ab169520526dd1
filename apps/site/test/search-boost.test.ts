import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { urlOf } from "../src/links.ts";
import { pages } from "../src/pages.ts";
import { searchBoost, searchTokens } from "../src/search-boost.ts";
import { sidebar } from "../src/sidebar.ts";

const READ_BY_PEOPLE = new Set(["/docs/spark-submit.html", "/docs/glossary.html"]);

const boost = (link: string): number => searchBoost(link);

function linksOf(...titles: readonly string[]): readonly string[] {
  return sidebar().flatMap(({ text, items }) => (titles.includes(text) ? items.map(({ link }) => link) : []));
}

test("a search finds guides before references, and these before decisions", () => {
  const guides = linksOf("Run applications", "Start").filter((link) => link.startsWith("/docs/"));
  const references = linksOf("Reference").filter((link) => !READ_BY_PEOPLE.has(link));
  const decisions = linksOf("Decisions, one by one");
  const least = Math.min(...guides.map(boost));
  // Words appear in references about ten times as often.
  expect(Math.max(...references.map(boost))).toBeLessThanOrEqual(least / 10);
  expect(Math.max(...decisions.map(boost))).toBeLessThan(Math.min(...references.map(boost)));
});

test("the name of a key, a metric or a code is looked up in references", () => {
  for (const name of ["spark.kindling.staging.uri", "gateway_queue_share", "OBJECT_NOT_FOUND"]) {
    expect(searchTokens(`see ${name}.`)).toContain(`=${name}`);
    expect(searchBoost("/docs/configuration.html#a", `=${name}`)).toBeGreaterThan(
      searchBoost("/docs/local-files.html", `=${name}`),
    );
  }
  expect(searchTokens("Local files, and more.")).toEqual(["Local", "files", "and", "more", ""]);
});

test("a heading counts as its page does", () => {
  for (const page of pages()) expect(searchBoost(`${urlOf(page)}#a`)).toBe(searchBoost(urlOf(page)));
});

test("browsers get it as text, so it needs nothing but its argument", () => {
  const alone: unknown = runInNewContext(`(${searchBoost.toString()})("/docs/cli.html")`);
  expect(alone).toBe(searchBoost("/docs/cli.html"));
});
