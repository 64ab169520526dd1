import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { APPLICATION } from "./support/client.ts";
import { ShuffleFiles } from "./support/shuffle-files.ts";
import { registration, start } from "./support/server.ts";

const OTHERS = 'spark-app-selector="spark-1"\nspark-role="executor"';

/** A server whose pod has labels, which can be changed as the kubelet does it. */
async function labelled() {
  const files = new ShuffleFiles();
  const labelsFile = join(files.root, "labels");
  const label = (text: string): void => {
    writeFileSync(`${labelsFile}.next`, text);
    renameSync(`${labelsFile}.next`, labelsFile);
  };
  label(OTHERS);
  const onEmpty = vi.fn<() => void>();
  const running = await start({ labelsFile, statusPort: 0, onEmpty }, files);
  const probe = async (path = "/executor"): Promise<number> =>
    (await fetch(`http://127.0.0.1:${running.server.statusPort}${path}`)).status;
  return { running, files, label, onEmpty, probe };
}

test("an executor may go on until its pod is labelled, whatever the label says", async () => {
  const { running, label, probe, onEmpty } = await labelled();
  await using _running = running;
  expect(await probe()).toBe(200);
  label(`gateway.kindling/keeper="leaving"\n${OTHERS}`);
  expect(await probe()).toBe(503);
  label(`${OTHERS}\ngateway.kindling/keeper="true"`);
  expect(await probe()).toBe(503);
  expect(await probe("/other")).toBe(404);
  expect(onEmpty).toHaveBeenCalledOnce();
});

test("the server ends when the executor is gone and the driver has removed the last of its files", async () => {
  const { running, files, label, onEmpty, probe } = await labelled();
  await using _running = running;
  files.writeMap(0, 1, [Buffer.from("one"), Buffer.from("two")]);
  const client = await running.client();
  expect(await client.ask(registration(files))).toBeUndefined();
  label('gateway.kindling/keeper="true"');
  expect(await probe()).toBe(503);
  expect(onEmpty).not.toHaveBeenCalled();
  const blockIds = ["shuffle_0_1_0.data", "shuffle_0_1_0.index"];
  await client.ask({ kind: "remove-blocks", application: APPLICATION, executor: "1", blockIds });
  await vi.waitFor(() => expect(onEmpty).toHaveBeenCalledOnce());
});

test("files of an executor that is being ended stay, also if none is there yet", async () => {
  const { running, label, onEmpty, probe } = await labelled();
  await using _running = running;
  label('gateway.kindling/keeper="leaving"');
  expect(await probe()).toBe(503);
  expect(onEmpty).not.toHaveBeenCalled();
});
