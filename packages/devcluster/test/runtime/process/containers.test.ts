import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { containersHere } from "./containers-here.ts";
import { NODE, ShellCluster, firstStatus } from "./shell-cluster.ts";

describe.skipIf(containersHere.missing)(`containers${containersHere.note}`, () => {
  let shell: ShellCluster;

  beforeAll(async () => {
    shell = await ShellCluster.start();
  });

  afterAll(async () => {
    await shell.stop();
  });

  test("a container's program is the first process of its own process table, with the pod's host name and the image's user", async () => {
    const name = await shell.script(
      "echo $$$$ $(hostname) $(id -u) $(id -g) $PWD $FROM_IMAGE; cat /opt/motto; set -- /proc/[0-9]*; echo $#",
    );
    const pod = await shell.finished(name);
    expect(firstStatus(pod).state.terminated).toMatchObject({ exitCode: 0, reason: "Completed" });
    expect(await shell.log(name)).toBe(`1 ${name} 185 0 /opt/work yes\nfrom the image1\n`);
  });

  test("the root has the system, and nothing else of this machine", async () => {
    const names = (await shell.output("ls /")).trim().split("\n");
    expect(names).toEqual(expect.arrayContaining(["bin", "dev", "etc", "opt", "proc", "tmp", "usr", "var"]));
    expect(names).not.toContain("root");
    expect(await shell.output("ls /opt /tmp; touch /tmp/mine && ls /tmp")).toBe(
      "/opt:\nmotto\nnode\nwork\n\n/tmp:\nmine\n",
    );
    expect(await shell.output("touch /usr/mine || echo refused")).toContain("refused");
  });

  test("without a command the image's entry point runs, with the image's own arguments", async () => {
    const name = await shell.pod({ containers: [{ name: "main" } as never] });
    await shell.finished(name);
    expect(await shell.log(name)).toBe("nothing to do\n");
  });

  test("a command replaces the entry point, and references in it are filled in", async () => {
    const container = {
      command: ["/usr/bin/printf", "<%s>"],
      args: ["$(WHO)", "$(NOBODY)", "$$(WHO)", "a b", "it's"],
      env: [{ name: "WHO", value: "spark" }],
    };
    expect(await shell.output("", container)).toBe("<spark><$(NOBODY)><$(WHO)><a b><it's>\n");
  });

  test("the environment holds exactly what is set, whatever it is", async () => {
    const env = [
      { name: "PLAIN", value: "two\nlines" },
      { name: "QUOTES", value: `'"$HOME\`id\`\\` },
      { name: "spark.some.key", value: "dotted" },
      { name: "LD_LIBRARY_PATH", value: "/nowhere" },
      { name: "UID", value: "own" },
      { name: "EMPTY", value: "" },
      { name: "POD", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
      { name: "IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
      { name: "CPU", valueFrom: { resourceFieldRef: { resource: "limits.cpu" } } },
      { name: "BOTH", value: "$(POD):$(CPU)" },
    ];
    const container = { command: ["/usr/bin/env", "-0"], env, resources: { limits: { cpu: "3" } } };
    const name = await shell.script("", { ...container, args: [] });
    const pod = await shell.finished(name);
    const variables = (await shell.log(name)).split("\0");
    const value = (wanted: string): string | undefined =>
      variables.find((one) => one.startsWith(`${wanted}=`))?.slice(wanted.length + 1);
    expect(value("PLAIN")).toBe("two\nlines");
    expect(value("QUOTES")).toBe(`'"$HOME\`id\`\\`);
    expect(value("spark.some.key")).toBe("dotted");
    expect(value("LD_LIBRARY_PATH")).toBe("/nowhere");
    expect(value("UID")).toBe("own");
    expect(value("EMPTY")).toBe("");
    expect(value("IP")).toBe(pod.status.podIP);
    expect(value("BOTH")).toBe(`${name}:3`);
    expect(value("HOSTNAME")).toBe(name);
    expect(value("FROM_IMAGE")).toBe("yes");
    expect(value("KUBERNETES_SERVICE_HOST")).toMatch(/^127\./);
    for (const foreign of ["SHLVL", "OLDPWD", "LC_ALL", "NODE_ENV", "VITEST"]) expect(value(foreign)).toBeUndefined();
  });

  test("words and variables reach the program as they are, whatever letters they have", async () => {
    const text = fc
      .string({ unit: "grapheme", maxLength: 12 })
      .map((value) => value.replaceAll(/\0/g, "").replaceAll("$", "$$$$"));
    const [words, values] = fc.sample(fc.tuple(fc.array(text, { minLength: 60 }), fc.array(text, { minLength: 60 })), {
      numRuns: 1,
      seed: 7,
    })[0] ?? [[], []];
    const env = values.map((value, index) => ({ name: `V_${index}`, value }));
    const print =
      "console.log(JSON.stringify([process.argv.slice(1), Object.entries(process.env).filter(([k]) => k.startsWith('V_'))]))";
    const output = await shell.output("", { command: [NODE, "-e", print, "--", ...words], args: [], env });
    const plain = (value: string): string => value.replaceAll("$$", "$");
    const [seen, variables] = JSON.parse(output) as [string[], [string, string][]];
    expect(seen).toEqual(words.map(plain));
    expect(Object.fromEntries(variables)).toEqual(
      Object.fromEntries(env.map(({ name, value }) => [name, plain(value)])),
    );
  });

  test("variables come from config maps and secrets, and wait for them", async () => {
    const env = [
      { name: "A", valueFrom: { configMapKeyRef: { name: "late", key: "a" } } },
      { name: "B", valueFrom: { secretKeyRef: { name: "late", key: "b" } } },
    ];
    const name = await shell.script("echo $A $B", { env });
    const waits = await shell.until(
      name,
      (pod) => firstStatus(pod).state.waiting?.reason === "CreateContainerConfigError",
      "an error",
    );
    expect(firstStatus(waits).state.waiting?.message).toBe('configmap "late" not found');
    await shell.create("configmaps", { metadata: { name: "late" }, data: { a: "one" } });
    await shell.create("secrets", { metadata: { name: "late" }, stringData: { b: "two" } });
    await shell.finished(name);
    expect(await shell.log(name)).toBe("one two\n");
  });

  test.each([
    ["exit 7", 7],
    ["kill -TERM $$$$; trap - TERM; exit 9", 9],
    ["sh -c 'kill -SEGV $$$$'", 139],
  ])("%s ends with code %i", async (script, exitCode) => {
    const name = await shell.script(script);
    const pod = await shell.finished(name);
    expect(pod.status.phase).toBe("Failed");
    expect(firstStatus(pod).state.terminated).toMatchObject({ exitCode, reason: "Error" });
  });

  test("a program that is not there fails the container's start, with the words of container runtimes", async () => {
    const [unknown, missing] = await Promise.all([
      shell.script("", { command: ["no-such-program"] }),
      shell.script("", { command: ["/no/such/program"] }),
    ]);
    const message = async (name: string): Promise<unknown> => firstStatus(await shell.finished(name)).state.terminated;
    expect(await message(unknown)).toMatchObject({
      exitCode: 128,
      reason: "StartError",
      message: 'exec: "no-such-program": executable file not found in $PATH',
    });
    expect(await message(missing)).toMatchObject({
      reason: "StartError",
      message: 'exec: "/no/such/program": no such file or directory',
    });
  });

  test("an image that nobody knows is waited for", async () => {
    const name = await shell.pod({ containers: [{ name: "main", image: "unknown:1" } as never] });
    const first = await shell.until(
      name,
      (pod) => firstStatus(pod).state.waiting?.reason === "ErrImagePull",
      "an error",
    );
    expect(firstStatus(first).state.waiting?.message).toContain('failed to pull and unpack image "unknown:1"');
    const then = await shell.until(
      name,
      (pod) => firstStatus(pod).state.waiting?.reason === "ImagePullBackOff",
      "patience",
    );
    expect(then.status.phase).toBe("Pending");
    await shell.deleted(name);
  });

  test("the working directory is the container's, made if it is missing, and can be written to", async () => {
    expect(await shell.output("pwd; echo x > here && cat here", { workingDir: "/data/deep/down" })).toBe(
      "/data/deep/down\nx\n",
    );
  });

  test("the streams of a container can be opened by their names", async () => {
    const script =
      "echo one > /dev/stdout; echo two >&2; sleep 0.2; echo three >> /dev/stderr; echo four | tee /dev/stderr";
    const lines = (await shell.output(script)).trim().split("\n");
    expect(lines.toSorted()).toEqual(["four", "four", "one", "three", "two"]);
    expect(new Set(lines.slice(0, 2))).toEqual(new Set(["one", "two"]));
  });

  test("logs have times, ends and beginnings", async () => {
    const name = await shell.script("for i in 1 2 3 4 5; do echo line $i; done; printf unfinished");
    await shell.finished(name);
    expect(await shell.log(name, "?tailLines=2")).toBe("line 5\nunfinished\n");
    expect(await shell.log(name, "?tailLines=0")).toBe("");
    expect(await shell.log(name, "?limitBytes=6")).toBe("line 1");
    expect(await shell.log(name, "?sinceTime=2100-01-01T00:00:00Z")).toBe("");
    const stamped = (await shell.log(name, "?timestamps=true")).split("\n");
    expect(stamped[0]).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z line 1$/);
  });

  test("a long log comes whole", async () => {
    const text = await shell.output("seq 1 200000");
    expect(text.length).toBe(1_288_895);
    expect(text.endsWith("\n199999\n200000\n")).toBe(true);
  });

  test("a followed log ends with its container", async () => {
    const name = await shell.script("echo first; sleep 0.5; echo last");
    await shell.running(name);
    expect(await shell.log(name, "?follow=true")).toBe("first\nlast\n");
  });

  test("last words are those in the file, or the log's end where that is asked for", async () => {
    // Not in /tmp: where `fs.protected_regular` is set, nobody may open a file of another user there with O_CREAT.
    const own = { terminationMessagePath: "/opt/work/words" };
    const fallback = { terminationMessagePolicy: "FallbackToLogsOnError" };
    const words = async (script: string, container: object): Promise<string | undefined> =>
      firstStatus(await shell.finished(await shell.script(script, container))).state.terminated?.message;
    expect(await words("echo -n bye > /dev/termination-log", {})).toBe("bye");
    expect(await words("echo -n bye > /opt/work/words; exit 1", own)).toBe("bye");
    expect(await words("echo said; exit 1", fallback)).toBe("said\n");
    expect(await words("echo said; exit 1", {})).toBeUndefined();
    expect(await words("echo said", fallback)).toBeUndefined();
  });

  test("a read-only root can be read only", async () => {
    const securityContext = { readOnlyRootFilesystem: true };
    expect(await shell.output("touch /tmp/x || echo refused", { securityContext })).toContain("refused");
  });

  test("users are those that pod and container name", async () => {
    const spec = { securityContext: { runAsUser: 1234, runAsGroup: 2345 } };
    expect(await shell.output("id -u; id -g", {}, spec)).toBe("1234\n2345\n");
    expect(await shell.output("id -u", { securityContext: { runAsUser: 4321 } }, spec)).toBe("4321\n");
    expect(await shell.output("id -un", {}, spec)).toBe("user1234\n");
  });

  test("who must not be root is not", async () => {
    const name = await shell.script("id -u", {}, { securityContext: { runAsNonRoot: true, runAsUser: 0 } });
    const pod = await shell.finished(name);
    expect(firstStatus(pod).state.terminated).toMatchObject({
      reason: "CreateContainerConfigError",
      message: `container's runAsUser breaks non-root policy (pod: "${name}", container: main0)`,
    });
  });
});
