import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sparkConf } from "@kindling/core-spec";
import { systemOutside } from "@kindling/outside";
import { describe, expect, test } from "vitest";
import { checkUploads, upload } from "../../src/upload/upload.ts";
import { caught } from "@kindling/test-kit/caught";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";

describe("uploads to a directory", () => {
  test("a file arrives under its name", async () => {
    const folder = scratchFolder({ "sp ace.txt": "x" });
    await copy(join(folder.path, "sp ace.txt"), `file:${folder.path}/up/1/sp ace.txt`);
    expect(readFileSync(join(folder.path, "up/1/sp ace.txt"), "utf8")).toBe("x");
  });

  test("a directory arrives with all that is in it", async () => {
    const folder = scratchFolder({ "lib/a.py": "a", "lib/deep/er/b.py": "b" });
    await copy(join(folder.path, "lib"), `file://${folder.path}/up/1/lib`);
    expect(readFileSync(join(folder.path, "up/1/lib/a.py"), "utf8")).toBe("a");
    expect(readFileSync(join(folder.path, "up/1/lib/deep/er/b.py"), "utf8")).toBe("b");
  });

  test("nothing is copied where one of several is missing", async () => {
    const folder = scratchFolder({ "a.txt": "x" });
    const copies = ["a.txt", "b.txt"].map((name) => ({
      source: join(folder.path, name),
      destination: `file:${folder.path}/up/${name}`,
      purpose: "spark.files",
    }));
    expect(await caught(checkUploads(copies))).toMatchObject({
      code: "FILE_UNREADABLE",
      message: `${folder.path}/b.txt (spark.files) does not exist`,
    });
  });
});

async function copy(source: string, destination: string): Promise<void> {
  await upload({ source, destination }, sparkConf({}, { sparkVersion: "4.3.0" }), systemOutside(), undefined);
}
