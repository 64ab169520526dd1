import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sparkConf } from "@kindling/core-spec";
import { systemOutside } from "@kindling/outside";
import { describe, expect, test } from "vitest";
import { upload } from "@kindling/submit";
import { conf } from "../fixtures/submission.ts";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { kindling } from "../fixtures/kindling-process.ts";

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
    const { code, stderr } = await kindling([
      ...["submit", "--master", "k8s://http://127.0.0.1:1", "--files", `${folder.path}/a.txt,${folder.path}/b.txt`],
      ...conf({
        "spark.kubernetes.file.upload.path": `file:${folder.path}/up`,
        "spark.kubernetes.container.image": "spark",
      }),
      ...["--class", "org.example.Main", "local:///app.jar"],
    ]);
    expect(code).toBe(1);
    expect(stderr).toBe(`error: ${folder.path}/b.txt (spark.files) does not exist\n`);
    expect(existsSync(join(folder.path, "up"))).toBe(false);
  });
});

async function copy(source: string, destination: string): Promise<void> {
  await upload({ source, destination }, sparkConf({}, { sparkVersion: "4.3.0" }), systemOutside(), undefined);
}
