import { readFileSync } from "node:fs";
import { parseAllDocuments } from "yaml";
import { describe, expect, test } from "vitest";
import { plainManifests } from "../../../tools/plain-manifests.mjs";
import { hasHelm, PROGRAM, WHERE_HELM_IS } from "../src/helm.ts";

const FILES = hasHelm ? Object.entries(plainManifests(PROGRAM)) : [];

describe.skipIf(!hasHelm)(`the plain manifests${WHERE_HELM_IS}`, () => {
  test("are what the chart makes", () => {
    expect(FILES.length).toBeGreaterThan(1);
    for (const [path, text] of FILES)
      expect(readFileSync(path, "utf8"), "run node tools/plain-manifests.mjs").toBe(text);
  });

  test("hold no secrets, nothing of Helm, and the namespace first", () => {
    for (const [, text] of FILES) {
      const objects = parseAllDocuments(text).map((document) => document.toJS());
      expect(objects[0]).toMatchObject({ kind: "Namespace", metadata: { name: "kindling" } });
      expect(objects.filter(({ kind }) => kind === "Secret")).toEqual([]);
      expect(text).not.toMatch(/BEGIN|helm\.sh\/|managed-by/);
    }
  });
});
