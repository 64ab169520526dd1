// @ts-check
import { expect, test } from "vitest";
import { commandsOf, installCommands } from "./documented-commands.mjs";

test("commands are those that install Kindling, without prompts, comments and line breaks", () => {
  const page = [
    "```console",
    "$ npm install --global @kindling/submit-cli    # the command",
    "added 12 packages",
    "$ helm install kindling kindling/kindling \\",
    "    --namespace kindling",
    "$ npm install @example/step @kindling/steps",
    "$ npm install lodash",
    "```",
    "```js",
    "npm install @kindling/steps",
    "```",
    "```sh",
    "helm repo add kindling https://kindling.example",
    "```",
  ].join("\n");
  expect(commandsOf(`${page}\n`)).toEqual([
    "npm install --global @kindling/submit-cli",
    "helm install kindling kindling/kindling --namespace kindling",
    "helm repo add kindling https://kindling.example",
  ]);
});

test("the pages of this repository have commands for the command, the services, the steps and the charts", () => {
  const commands = installCommands(new URL("../..", import.meta.url).pathname).map(({ command }) => command);
  expect(commands).toEqual(
    expect.arrayContaining([
      "npm install --global @kindling/submit-cli",
      "npm install @kindling/steps-vault",
      "helm install kindling kindling/kindling --namespace kindling --create-namespace",
    ]),
  );
});
