import { expect, test } from "vitest";
import * as command from "../src/index.ts";

test("of the command, others can use what its arguments mean, and nothing else", () => {
  expect(Object.keys(command).toSorted()).toEqual(["parseArguments", "toRequest"]);
});
