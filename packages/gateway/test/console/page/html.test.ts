import fc from "fast-check";
import { expect, test } from "vitest";
import { html } from "../../../src/console/page/html.ts";

test("markup stays, and contents are escaped", () => {
  const list = ["<b>", '"', "'", "&"].map((text) => html`<i title="${text}">${text}</i>`);
  const { text } = html`<b>${list}</b>${undefined}${false}${3}`;
  expect(text).toBe(
    '<b><i title="&lt;b&gt;">&lt;b&gt;</i><i title="&quot;">&quot;</i><i title="&#39;">&#39;</i><i title="&amp;">&amp;</i></b>3',
  );
});

test("what turns the direction of writing is shown, and not obeyed", () => {
  expect(html`${"etl\u202Egpj"}`.text).toBe(String.raw`etl\u{202e}gpj`);
});

test("no text opens or closes anything", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(html`${text}`.text).not.toMatch(/[<>"']/);
    }),
  );
});
