import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { processesWith } from "./processes-with.ts";
import { containersHere } from "./containers-here.ts";
import { NODE, ShellCluster, firstStatus } from "./shell-cluster.ts";

const PYTHON = "/usr/bin/python3";

describe.skipIf(containersHere.missing)(`the life of a pod${containersHere.note}`, () => {
  let shell: ShellCluster;

  beforeAll(async () => {
    shell = await ShellCluster.start();
  });

  afterAll(async () => {
    await shell.stop();
  });

  test("a pod that is deleted is asked to end, and has time for it", async () => {
    const name = await shell.script(
      "trap 'echo bye; sleep 0.3; echo gone; exit 0' TERM; echo up; while :; do sleep 0.05; done",
      {},
      { terminationGracePeriodSeconds: 10 },
    );
    await shell.logged(name, "up");
    const following = shell.log(name, "?follow=true");
    await shell.deleted(name);
    expect(await following).toBe("up\nbye\ngone\n");
  });

  test("who does not end in time is killed, with all it has started", async () => {
    const name = await shell.script("trap '' TERM; sleep 4711.5 & echo up; while :; do sleep 0.05; done");
    await shell.logged(name, "up");
    expect(processesWith("4711.5")).not.toEqual([]);
    const began = Date.now();
    await shell.deleted(name);
    expect(Date.now() - began).toBeGreaterThan(900);
    expect(processesWith("4711.5")).toEqual([]);
  });

  test("nothing outlives a container's first process", async () => {
    const name = await shell.script("setsid sleep 4712.5 & echo up");
    await shell.finished(name);
    expect(processesWith("4712.5")).toEqual([]);
  });

  test("the hook before the end runs in the container, before it is asked to end", async () => {
    const lifecycle = { preStop: { exec: { command: ["/bin/sh", "-c", "echo $MARK $(id -u) > /tmp/hook"] } } };
    const script = "trap 'cat /tmp/hook; exit 0' TERM; echo up; while :; do sleep 0.05; done";
    const env = [{ name: "MARK", value: "seen" }];
    const name = await shell.script(script, { lifecycle, env }, { terminationGracePeriodSeconds: 10 });
    await shell.logged(name, "up");
    const following = shell.log(name, "?follow=true");
    await shell.deleted(name);
    expect(await following).toBe("up\nseen 185\n");
  });

  test("a hook after the start that fails ends the container", async () => {
    const lifecycle = { postStart: { exec: { command: ["/bin/false"] } } };
    const name = await shell.script("sleep 60", { lifecycle });
    expect((await shell.finished(name)).status.phase).toBe("Failed");
  });

  test("init containers run one after another, before the others", async () => {
    const volumeMounts = [{ name: "shared", mountPath: "/shared" }];
    const step = (text: string): object => ({
      args: [`cat /shared/log 2>/dev/null; echo ${text} >> /shared/log`],
      volumeMounts,
    });
    const name = await shell.pod({
      volumes: [{ name: "shared", emptyDir: {} }],
      initContainers: [step("one"), step("two")] as never,
      containers: [{ args: ["cat /shared/log"], volumeMounts }] as never,
    });
    await shell.finished(name);
    expect(await shell.log(name)).toBe("one\ntwo\n");
  });

  test("a container that fails is run again where its policy says so, and its last log is kept", async () => {
    const volumes = [{ name: "memory", emptyDir: {} }];
    const volumeMounts = [{ name: "memory", mountPath: "/memory" }];
    const script =
      "echo run $(cat /memory/count 2>/dev/null || echo 0); test -e /memory/count && sleep 60; echo 1 > /memory/count; exit 3";
    const name = await shell.script(script, { volumeMounts }, { restartPolicy: "OnFailure", volumes });
    const pod = await shell.until(
      name,
      (one) => firstStatus(one).restartCount === 1 && firstStatus(one).state.running !== undefined,
      "a second run",
    );
    expect(firstStatus(pod).lastState.terminated?.exitCode).toBe(3);
    expect(await shell.logged(name, "run 1")).toBe("run 1\n");
    expect(await shell.log(name, "?previous=true")).toBe("run 0\n");
  });

  test("a container that uses more memory than it may is killed", async () => {
    const name = await shell.script("dd if=/dev/zero of=/dev/null bs=300M 2>&1", {
      resources: { limits: { memory: "100Mi" } },
    });
    const pod = await shell.finished(name);
    expect(firstStatus(pod).state.terminated).toMatchObject({ exitCode: 137, reason: "OOMKilled" });
  });

  // Python starts programs by vfork(2). A long search for the program keeps the child in its parent's memory.
  test.skipIf(!existsSync(PYTHON))("what a child borrows of its parent's memory does not count twice", async () => {
    const program = [
      "import subprocess, time",
      "kept = bytearray(b'1') * 150_000_000",
      "end = time.time() + 4",
      "while time.time() < end:",
      "    try: subprocess.call(['nothing'], env={'PATH': ':'.join(['a'] * 20_000)})",
      "    except FileNotFoundError: pass",
      "print('lived', flush=True)",
    ].join("\n");
    const container = { command: [PYTHON, "-c", program], args: [], resources: { limits: { memory: "220Mi" } } };
    const name = await shell.script("", container);
    await shell.finished(name);
    expect(await shell.log(name)).toBe("lived\n");
  });

  test("a container is ready when its probe says so, whichever way it asks", async () => {
    const exec = { exec: { command: ["/bin/test", "-e", "/tmp/ready"] }, periodSeconds: 1 };
    const name = await shell.script("sleep 1.2; touch /tmp/ready; sleep 60", { readinessProbe: exec });
    const running = await shell.running(name);
    expect(firstStatus(running).ready).toBe(false);
    await shell.until(name, (pod) => firstStatus(pod).ready, "it to be ready");
  });

  test("probes over the network reach the pod's own address", async () => {
    const server = "require('http').createServer((q, r) => r.end()).listen(18080, process.env.IP)";
    const env = [{ name: "IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } }];
    const container = {
      command: [NODE, "-e", server],
      env,
      ports: [{ name: "web", containerPort: 18080 }],
    };
    const [http, tcp] = await Promise.all([
      shell.script("", {
        ...container,
        args: [],
        readinessProbe: { httpGet: { path: "/", port: "web" }, periodSeconds: 1 },
      }),
      shell.script("", { ...container, args: [], readinessProbe: { tcpSocket: { port: 18080 }, periodSeconds: 1 } }),
    ]);
    for (const name of [http, tcp]) {
      const pod = await shell.until(name, (one) => firstStatus(one).ready, `${name} to be ready`);
      expect(pod.status.phase).toBe("Running");
    }
  });
});
