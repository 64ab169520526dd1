import { sparkConf } from "@kindling/core-spec";
import { describe, expect, test } from "vitest";
import { seededIdentifiers } from "../../src/plan/identifiers.ts";
import { planUploads, type PlannedUploads } from "../../src/plan/uploads.ts";
import { caughtFrom } from "@kindling/test-kit/caught";

function plannedBelow(root: string | undefined): PlannedUploads {
  const entries: Record<string, string> = root === undefined ? {} : { "spark.kubernetes.file.upload.path": root };
  return planUploads(sparkConf(entries, { sparkVersion: "4.3.0" }), seededIdentifiers(new Uint8Array(32), undefined));
}

describe("an upload", () => {
  test("goes into a folder of its own, under its own name", () => {
    const uploads = plannedBelow("s3a://bucket/uploads");
    const uri = uploads.uploadedUri("file:/home/me/my%20app.jar", "spark.jars");
    expect(uri).toMatch(/^s3a:\/\/bucket\/uploads\/spark-upload-[0-9a-f-]{36}\/my app\.jar$/);
    expect(uploads.planned).toEqual([{ source: "/home/me/my app.jar", purpose: "spark.jars", destination: uri }]);
  });

  test("of a file that is needed twice happens twice, as with spark-submit", () => {
    const uploads = plannedBelow("file:/shared");
    const [first, second] = ["spark.jars", "spark.files"].map((purpose) => uploads.uploadedUri("/a.jar", purpose));
    expect(first).not.toBe(second);
    expect(uploads.planned).toHaveLength(2);
  });

  test("without a place for it is refused, with what else to do", () => {
    const uploads = plannedBelow(undefined);
    expect(caughtFrom(() => uploads.uploadedUri("file:/home/me/app.jar", "spark.jars"))).toMatchObject({
      code: "CONF_MISSING",
      message:
        "file:/home/me/app.jar (spark.jars) is on this machine; please specify spark.kubernetes.file.upload.path",
      hint: expect.stringContaining("local:///home/me/app.jar"),
    });
    expect(uploads.planned).toEqual([]);
  });
});
