import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { until } from "../support/awaited.ts";
import { pod, type Pod } from "../support/localizer-process.ts";
import { canMount, mountVolume } from "../support/mounted-volume.ts";
import { offered, unpack } from "../support/offered-archive.ts";
import { webServer } from "../support/web-server.ts";
import { tarBytes, type TarMember } from "../support/tar-bytes.ts";

const ANY_SIZE = { maxRatio: 1_000_000, maxUnpackedBytes: 1e15 };
const LITTLE: readonly TarMember[] = Array.from({ length: 50 }, (_, index) => ({ name: `d${index}/f`, content: "x" }));

const ZEROS = gzipSync(Buffer.alloc(64 * 1024 * 1024));

/** Some files, and then zeros for much longer than any of these tests takes: 32 GiB in 33 MB. */
const ENDLESS = Buffer.concat([gzipSync(tarBytes(LITTLE)), ...Array.from({ length: 512 }, () => ZEROS)]);

function isUnpacking({ volume }: Pod): boolean {
  return existsSync(`${volume}/.env.unpacking/d49/f`);
}

/** Runs an action in the process as soon as it is unpacking. */
function probe({ folder, volume }: Pod, action: string): readonly string[] {
  const path = folder.write(
    "probe.cjs",
    `const { existsSync } = require("node:fs");
     const timer = setInterval(() => {
       if (!existsSync(${JSON.stringify(`${volume}/.env.unpacking/d49/f`)})) return;
       clearInterval(timer);
       ${action}
     }, 5);
     timer.unref();`,
  );
  return ["--require", path];
}

describe("hostile archive", { timeout: 60_000 }, () => {
  test("that takes longer than there is time for is ended by the deadline, and removed", async () => {
    const setting = pod();
    const { code, failure } = await setting.run({
      ...(await offered(setting, ENDLESS, ANY_SIZE)),
      deadlineSeconds: 5,
    });
    expect(code).toBe(12);
    expect(failure).toMatchObject({ reason: "deadline", message: "not done within 5 s" });
    expect(setting.tree()).toEqual({});
  });

  test("that another file's failure ends is removed", async () => {
    const setting = pod();
    const config = await offered(setting, ENDLESS, ANY_SIZE);
    const other = await webServer((_, response) => {
      void until(() => isUnpacking(setting)).then(() => response.writeHead(404).end());
    });
    const missing = { from: { uri: `${other.uri}/x` }, to: `${setting.volume}/missing` };
    const { code, failure } = await setting.run({ ...config, files: [...config.files, missing] });
    expect(code).toBe(3);
    expect(failure.reason).toBe("not-found");
    expect(Object.keys(setting.tree())).toEqual(["missing.part"]);
  });

  test("is removed after a fault that nobody foresaw, which is the reason", async () => {
    const setting = pod();
    const nodeOptions = probe(setting, 'throw new Error("boom \\u001b[31m");');
    const { code, failure, stderr } = await setting.run(await offered(setting, ENDLESS, ANY_SIZE), { nodeOptions });
    expect(code).toBe(1);
    expect(failure).toMatchObject({ reason: "internal", message: "this should not have happened" });
    expect(stderr).toContain("Error: boom \\u{1b}[31m");
    expect(setting.tree()).toEqual({});
  });

  test.each([
    ["is killed", 'process.kill(process.pid, "SIGKILL");'],
    ["runs out of memory", "const all = []; for (;;) all.push(new Array(1e4).fill({}));"],
  ])(
    "in a process that %s leaves a reason, and what is left is gone when the next run begins",
    async (_, action) => {
      const setting = pod();
      const { code, failure } = await setting.run(await offered(setting, ENDLESS, ANY_SIZE), {
        nodeOptions: probe(setting, action),
      });
      expect(code).not.toBe(0);
      expect(failure).toMatchObject({ reason: "killed", message: "the localizer was ended before it could say why" });
      expect(readdirSync(setting.volume)).toContain(".env.unpacking");
      // The archive's server is away: the remains are removed before anything is fetched.
      const away = { from: { uri: "http://127.0.0.1:1/x" }, to: `${setting.volume}/env`, unpack: true };
      const next = setting.start({ files: [away] });
      await until(() => !existsSync(`${setting.volume}/.env.unpacking`));
      next.child.kill("SIGTERM");
      expect((await next.ended).failure.reason).toBe("interrupted");
    },
    60_000,
  );

  test("in a process that is told to stop is left to the next run", async () => {
    const setting = pod();
    const running = setting.start(await offered(setting, ENDLESS, ANY_SIZE));
    await until(() => isUnpacking(setting));
    running.child.kill("SIGTERM");
    const { code, failure } = await running.ended;
    expect(code).toBe(143);
    expect(failure.reason).toBe("interrupted");
    const { code: next, stderr } = await unpack(setting, gzipSync(tarBytes(LITTLE)));
    expect(next, stderr).toBe(0);
    expect(readdirSync(setting.volume)).toEqual(["env"]);
  });

  test.runIf(canMount)("whose left-over tree fills the volume makes room for its next attempt", async () => {
    const setting = pod();
    mountVolume(setting.volume, "size=4m");
    mkdirSync(`${setting.volume}/.env.unpacking/d`, { recursive: true });
    writeFileSync(`${setting.volume}/.env.unpacking/d/f`, Buffer.alloc(3_500_000));
    const archive = tarBytes([{ name: "f", content: Buffer.alloc(1_500_000) }]);
    const { code, stderr } = await unpack(setting, archive);
    expect(code, stderr).toBe(0);
    expect(readdirSync(setting.volume)).toEqual(["env"]);
  });

  test.runIf(canMount)("that fills the volume is removed, and itself with it", async () => {
    const setting = pod();
    mountVolume(setting.volume, "size=4m");
    const archive = gzipSync(tarBytes([{ name: "a/f", content: Buffer.alloc(5_000_000) }]));
    const { code, failure } = await unpack(setting, archive, ANY_SIZE);
    expect(code).toBe(6);
    expect(failure).toMatchObject({ reason: "disk", message: expect.stringContaining("ENOSPC") as string });
    expect(setting.tree()).toEqual({});
  });

  // Root may write and remove everywhere; another user may not even be able to run root's Node.
  const uid = process.getuid?.() === 0 ? 65_532 : undefined;
  const runs = spawnSync(process.execPath, ["-e", "0"], { ...(uid !== undefined && { uid }), cwd: "/" }).status === 0;

  test.runIf(runs)("of closed directories leaves nothing behind, whoever unpacks it", async () => {
    const setting = pod();
    if (uid !== undefined) chownSync(setting.volume, uid, uid);
    const members = [
      { name: "closed", type: "5", mode: 0 },
      { name: "closed/deeper", type: "5", mode: 0 },
      { name: "closed/deeper/f", mode: 0, content: "x" },
      { name: "../out" },
    ];
    const options = uid === undefined ? {} : { uid };
    const { code, stderr } = await unpack(setting, tarBytes(members), {}, options);
    expect(code, stderr).toBe(8);
    expect(setting.tree()).toEqual({});
    // Remains of another program of the same user may be unreadable, too.
    const left = `${setting.volume}/.env.unpacking/closed`;
    mkdirSync(`${left}/deeper`, { recursive: true });
    for (const path of [`${left}/deeper`, left]) {
      if (uid !== undefined) chownSync(path, uid, uid);
      chmodSync(path, 0);
    }
    if (uid !== undefined) chownSync(`${setting.volume}/.env.unpacking`, uid, uid);
    expect((await unpack(setting, tarBytes([{ name: "f" }]), {}, options)).code).toBe(0);
    expect(readdirSync(setting.volume)).toEqual(["env"]);
  });
});
