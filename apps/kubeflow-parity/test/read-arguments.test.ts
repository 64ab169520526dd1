import { expect, test } from "vitest";
import { readArguments } from "../src/arguments/read-arguments.ts";

test("of a flag and of a key the last value wins, and what is behind the file belongs to it", () => {
  const list = ["--class", "A", "--class", "B", "--load-spark-defaults", "--conf", "a=1", "--conf", "a=2=3"];
  expect(readArguments([...list, "local:///a.jar", "--conf", "x"])).toEqual({
    flags: { "--class": "B", "--load-spark-defaults": "" },
    conf: { a: "2=3" },
    main: "local:///a.jar",
    arguments: ["--conf", "x"],
  });
});
