import { eventually } from "@kindling/test-kit/eventually";
import { describe, expect, test } from "vitest";
import { type Archive, ArchiveError } from "../../src/archive/archive.ts";
import { folderArchive } from "../support/archives.ts";
import { driverPod, executorPod, recording } from "../support/recording.ts";

/** Does something with a write instead of the store. */
type Fault = (write: () => Promise<void>, path: string) => Promise<void>;

function broken(archive: Archive, fault: () => Fault | undefined): Archive {
  const through = (path: string, write: () => Promise<void>): Promise<void> => fault()?.(write, path) ?? write();
  return {
    ...archive,
    put: (path, content) => through(path, () => archive.put(path, content)),
    putFile: (path, file) => through(path, () => archive.putFile(path, file)),
  };
}

const FAULTS: Readonly<Record<string, (archive: Archive) => Fault>> = {
  "is away": () => () => Promise.reject(new ArchiveError("nobody answers", undefined)),
  "says that it is full": () => () => Promise.reject(new ArchiveError("no space left on device", undefined)),
  "says well, and keeps nothing": () => () => Promise.resolve(),
  "says well, and keeps a half": (archive) => async (write, path) => {
    await write();
    const whole = await archive.read(path);
    await archive.put(path, whole?.subarray(0, Math.ceil(whole.length / 2)) ?? Buffer.from("x"));
  },
  "stores, and says that it has not": () => async (write) => {
    await write();
    throw new ArchiveError("the connection broke", undefined);
  },
};

describe.each(Object.entries(FAULTS))("a store that %s", (_, faultOf) => {
  test("loses nothing: the run is stored when it is well again", async () => {
    const archive = await folderArchive();
    let fault: Fault | undefined;
    const scene = await recording(broken(archive, () => fault));
    const { cluster } = scene;
    const first = await scene.start();
    fault = faultOf(archive);
    const driver = await cluster.createPod(driverPod("daily").build());
    cluster.writeLog(driver, ["one", "two"]);
    const executor = await cluster.createPod(executorPod(1, "daily").build());
    cluster.writeLog(executor, ["of the executor"]);
    await scene.untilRead("two");
    await scene.untilRead("of the executor");
    cluster.end(executor, 0);
    cluster.end(driver, 0);
    await cluster.inPhase(driver, "Succeeded");
    await eventually(() => expect(first.unstored).toBe(1));
    await eventually(() => expect(scene.complaints.join()).toContain("a run cannot be stored yet"));
    expect(first.history.size).toBe(0);
    fault = undefined;
    const [run] = await scene.runs(first, 1);
    expect(run && (await scene.log(run))).toEqual(["one", "two"]);
    expect(run && (await scene.log(run, "executor-1"))).toEqual(["of the executor"]);
    expect(run).toMatchObject({ state: "succeeded", executors: 1 });
    expect(await scene.record(run)).toMatchObject({ run: { uid: run?.uid } });
  });
});

/** How far each application comes: its writes fail from this one on, and the last one is done or not. */
const ENDS = Array.from({ length: 8 }, (_, writes) => [
  { name: `undone-${writes}`, writes, isDone: false },
  { name: `done-${writes}`, writes, isDone: true },
]).flat();

test("a recorder that ends after any write loses nothing, and stores nothing twice", async () => {
  const archive = await folderArchive();
  const left = new Map(ENDS.map(({ name, writes }) => [name, writes]));
  let isWell = false;
  const scene = await recording(
    broken(archive, () => async (write, path) => {
      const end = ENDS.find(({ name }) => path.includes(`/${name}/`));
      const remaining = left.get(end?.name ?? "") ?? 1;
      if (isWell || end === undefined || remaining > 0) {
        if (end !== undefined) left.set(end.name, remaining - 1);
        return await write();
      }
      if (end.isDone) await write();
      throw new ArchiveError("it ends here", undefined);
    }),
  );
  const { cluster } = scene;
  const first = await scene.start();
  for (const { name } of ENDS) {
    const driver = await cluster.createPod(driverPod(name).build());
    cluster.writeLog(driver, [`${name} begins`, `${name} ends`]);
    const executor = await cluster.createPod(executorPod(1, name).build());
    cluster.writeLog(executor, [`${name} works`]);
    cluster.end(executor, 0);
    cluster.end(driver, 0);
    await cluster.inPhase(driver, "Succeeded");
  }
  await eventually(() => expect(first.unstored + first.history.size).toBe(ENDS.length));
  await eventually(() => expect([...left.values()].filter((writes) => writes > 3)).toEqual([]));
  await first.stop();
  isWell = true;
  const second = await scene.start();
  const runs = await scene.runs(second, ENDS.length);
  await eventually(() => expect(second.unstored).toBe(0));
  expect(runs.map(({ name }) => name).toSorted()).toEqual(ENDS.map(({ name }) => name).toSorted());
  for (const run of runs) {
    expect(await scene.log(run)).toEqual([`${run.name} begins`, `${run.name} ends`]);
    expect(await scene.log(run, "executor-1")).toEqual([`${run.name} works`]);
    expect(run.executors).toBe(1);
    expect(await scene.record(run)).toMatchObject({ run: { uid: run.uid, usage: run.usage } });
  }
});
