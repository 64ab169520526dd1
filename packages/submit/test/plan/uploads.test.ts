import { sparkConf, type MainApplication } from "@kindling/core-spec";
import { chain } from "@kindling/steps";
import { caughtFrom } from "@kindling/test-kit/caught";
import { describe, expect, test } from "vitest";
import { seededIdentifiers } from "../../src/plan/identifiers.ts";
import type { GatheredFiles } from "../../src/plan/files/gathered-files.ts";
import { planUploads, type PlannedUploads } from "../../src/plan/uploads.ts";

const JAVA: MainApplication = { language: "java", resource: undefined, mainClass: "Main" };

function plannedBelow(
  root: string | undefined,
  entries: Readonly<Record<string, string>>,
  application: MainApplication = JAVA,
  byPath: GatheredFiles["byPath"] = {},
): PlannedUploads {
  const all = { ...entries, ...(root !== undefined && { "spark.kubernetes.file.upload.path": root }) };
  const ids = seededIdentifiers({ bytes: new Uint8Array(32), epochMillis: undefined });
  return planUploads(sparkConf(all, { sparkVersion: "4.3.0" }), application, chain("4.3.0"), ids, {
    cwd: "/",
    byPath,
  });
}

describe("an upload", () => {
  test("goes into a folder of its own, under its own name", () => {
    const { uploads, uris } = plannedBelow("s3a://bucket/uploads", { "spark.jars": "file:/home/me/my%20app.jar" });
    const [uri = ""] = uris.uploadedUris("spark.jars");
    expect(uri).toMatch(/^s3a:\/\/bucket\/uploads\/spark-upload-[0-9a-f-]{36}\/my app\.jar$/);
    expect(uploads).toEqual([{ source: "/home/me/my app.jar", purpose: "spark.jars", destination: uri }]);
  });

  test.each(["file://tmp/up", "file://localhost/up", "FILE://host"])(
    "to %s is refused: there is no such machine",
    (root) => {
      const error = caughtFrom(() => plannedBelow(root, { "spark.jars": "/a.jar" }));
      expect(error.message).toContain("spark.kubernetes.file.upload.path");
      expect(error.hint).toContain("file:///");
    },
  );

  test("to another machine is no fault where there is nothing to upload", () => {
    expect(plannedBelow("file://tmp/up", { "spark.jars": "local:///a.jar" }).uploads).toEqual([]);
  });

  test("of a file that is needed twice happens twice, as with spark-submit", () => {
    const { uploads, uris } = plannedBelow("file:/shared", { "spark.jars": "/a.jar,/a.jar", "spark.files": "/a.jar" });
    const all = ["spark.jars", "spark.files"].flatMap((purpose) => uris.uploadedUris(purpose));
    expect(new Set(all).size).toBe(3);
    expect(uploads.map(({ destination }) => destination)).toEqual(all);
  });

  test("follows from the configuration: whoever asks first, and how often", () => {
    const entries = { "spark.jars": "/a.jar", "spark.files": "/b.txt#c,https://host/d" };
    const application: MainApplication = { language: "python", resource: "file:/app.py", mainClass: "Runner" };
    const [one, other] = [
      plannedBelow("file:/up", entries, application),
      plannedBelow("file:/up", entries, application),
    ];
    const purposes = ["spark.jars", "spark.files", "the application"];
    const forwards = purposes.map((purpose) => one.uris.uploadedUris(purpose));
    const backwards = purposes.toReversed().map((purpose) => other.uris.uploadedUris(purpose));
    expect(backwards.toReversed()).toEqual(forwards);
    expect(one.uploads).toEqual(other.uploads);
    expect(one.uploads.map(({ source }) => source)).toEqual(["/a.jar", "/b.txt", "/app.py"]);
  });

  test("without a place for it is refused, with what else to do", () => {
    const { uploads, uris } = plannedBelow(undefined, { "spark.jars": "file:/home/me/app.jar" });
    expect(caughtFrom(() => uris.uploadedUris("spark.jars"))).toMatchObject({
      code: "CONF_MISSING",
      message:
        "file:/home/me/app.jar (spark.jars) is on this machine; please specify spark.kubernetes.file.upload.path",
      hint: expect.stringMatching(/staging server.*storage.*local:\/\/\/home\/me\/app\.jar/),
    });
    expect(uris.uploadedUris("spark.files")).toEqual([]);
    expect(uploads).toEqual([]);
  });

  test("that is small is told of the Secret which could bring it", () => {
    const hint = (size: number, entries: Readonly<Record<string, string>>): unknown => {
      const { uris } = plannedBelow(undefined, entries, JAVA, { "/a.csv": { isFile: true, size } });
      const [purpose = ""] = Object.keys(entries);
      return (caughtFrom(() => uris.uploadedUris(purpose)) as { hint?: string }).hint;
    };
    expect(hint(44, { "spark.files": "/a.csv" })).toMatch(
      /^spark\.kindling\.staging\.smallFiles=true .*staging server/,
    );
    expect(hint(44_000, { "spark.files": "/a.csv" })).not.toContain("smallFiles");
    expect(hint(44, { "spark.archives": "/a.csv#a" })).not.toContain("smallFiles");
  });

  test("that is nowhere is refused for that, whatever place there might be", () => {
    const { uris } = plannedBelow(undefined, { "spark.jars": "file:/home/me/nosuch.jar" }, JAVA, {
      "/home/me/nosuch.jar": { isFile: false, size: 0 },
    });
    expect(caughtFrom(() => uris.uploadedUris("spark.jars"))).toMatchObject({
      code: "FILE_UNREADABLE",
      message:
        "file:/home/me/nosuch.jar (spark.jars) is not on this machine, and spark.kubernetes.file.upload.path is not set",
      hint: expect.stringContaining("local:///home/me/nosuch.jar"),
    });
  });
});
