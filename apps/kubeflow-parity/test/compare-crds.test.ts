import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { compareCrds } from "../src/compare-crds.ts";
import { PLACES } from "../src/repository.ts";

/** Our definitions, with the stock file names. */
function stockFolder(change: (text: string) => string = (text) => text): string {
  const folder = mkdtempSync(join(tmpdir(), "kindling-crds-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const nameOf = (plural: string): string => join(folder, `sparkoperator.k8s.io_${plural}.yaml`);
  for (const plural of ["sparkapplications", "sparkconnects"])
    copyFileSync(join(PLACES.definitions, `${plural}.yaml`), nameOf(plural));
  const text = readFileSync(join(PLACES.definitions, "scheduledsparkapplications.yaml"), "utf8");
  writeFileSync(nameOf("scheduledsparkapplications"), change(text));
  return folder;
}

test("definitions do not differ from themselves", () => {
  const { fields, differences } = compareCrds(stockFolder());
  expect(differences).toEqual([]);
  expect(fields).toBeGreaterThan(100);
});

test("a field that is missing is told by its path", () => {
  const { differences } = compareCrds(stockFolder((text) => text.replace(/^( +)suspend:/m, "$1another: {}\n$&")));
  expect(differences).toEqual(["scheduledsparkapplications.spec.another: is missing"]);
});
