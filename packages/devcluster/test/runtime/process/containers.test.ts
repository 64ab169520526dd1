import { afterAll, beforeAll, expect, test } from "vitest";
import { ShellCluster, firstStatus } from "./shell-cluster.ts";

let shell: ShellCluster;

beforeAll(async () => {
  shell = await ShellCluster.start();
});

afterAll(async () => {
  await shell.stop();
});

test("a container's program is the first process of its own process table, with its own host name and user", async () => {
  const name = await shell.script(
    "echo $$$$ $(hostname) $(id -u) $(id -g) $PWD $FROM_IMAGE; cat /opt/motto; ls /proc | grep -c '^[0-9]'",
  );
  const pod = await shell.finished(name);
  expect(firstStatus(pod).state.terminated).toMatchObject({ exitCode: 0, reason: "Completed" });
  expect(await shell.log(name)).toMatch(new RegExp(`^1 ${name} 185 0 /opt/work yes\nfrom the image3\n$`));
});
