import { shownCommands } from "@kindling/command-line";
import { expect, test } from "vitest";
import { COMMANDS_OF_PACKAGES } from "../../submit-cli/src/commands/packages-of-commands.ts";
import { DEV } from "../src/commands/command-table.ts";

test("shells are offered the commands of kindling dev by kindling's own completion", () => {
  const dev = COMMANDS_OF_PACKAGES.find(({ name }) => name === "dev");
  expect(dev?.commands).toEqual(shownCommands(DEV).map(({ name }) => name));
});
