import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { expect, test } from "vitest";
import { namedFiles } from "../../src/watch/named-files.ts";

test("the files of a submission are found wherever its arguments name them", () => {
  const { path } = scratchFolder({
    "app.py": "",
    "a.jar": "",
    "b.jar": "",
    "my data.csv": "",
    "t.yaml": "",
    "in.txt": "",
  });
  const words = [
    ...["--jars", `a.jar,file://${path}/b.jar#alias`, "--files", `file:${path}/my%20data.csv`],
    ...["--conf", `spark.kubernetes.driver.podTemplateFile=${path}/t.yaml`, "--name", "no-such-file"],
    ...["app.py", "in.txt", "app.py", "s3a://bucket/app.py", "file://host/app.py", "", "."],
  ];
  expect(namedFiles(words, path).toSorted()).toEqual(
    ["a.jar", "app.py", "b.jar", "in.txt", "my data.csv", "t.yaml"].map((name) => `${path}/${name}`),
  );
});
