import { describe, expect, test } from "vitest";
import {
  canIsolate,
  runIsolated,
  type Answer,
  type IsolatedEnd,
  type IsolatedRun,
} from "../support/isolated-network.ts";
import { pod, type TerminationMessage } from "../support/localizer-process.ts";
import { webServer } from "../support/web-server.ts";

const REPOSITORY = "10.9.8.7";
const PUBLIC = "93.184.216.34";
const METADATA = "169.254.169.254";
const SELF = "127.0.0.1";
const DATA_NODE = "10.9.8.8";

const ADDRESSES = [REPOSITORY, PUBLIC, METADATA, SELF, DATA_NODE];

function redirect(location: string, more: Answer = {}): Answer {
  return { status: 302, location, ...more };
}

function failureOf({ terminationLog }: IsolatedEnd): TerminationMessage {
  return JSON.parse(terminationLog) as TerminationMessage;
}

/** Fetches one file of the repository, in a network where all of those addresses answer. */
function fetchFrom(run: Omit<IsolatedRun, "addresses" | "config">, config: Partial<IsolatedRun["config"]> = {}) {
  const setting = pod();
  const files = [{ from: { uri: `http://${REPOSITORY}/a` }, to: `${setting.volume}/a` }];
  return {
    ...runIsolated(setting, { addresses: ADDRESSES, ...run, config: { files, ...config } }),
    tree: setting.tree,
  };
}

describe.runIf(canIsolate)("hostile server: redirects", () => {
  test("to a public host are followed, and back to where the file was asked for", () => {
    const { code, stderr, requests, tree } = fetchFrom({
      hosts: `${PUBLIC} store.example`,
      answers: {
        [`${REPOSITORY}/a`]: redirect("http://store.example/1"),
        [`${PUBLIC}/1`]: redirect(`http://${REPOSITORY}/b`),
        [`${REPOSITORY}/b`]: { body: "hello" },
      },
    });
    expect(code, stderr).toBe(0);
    expect(requests).toEqual([`${REPOSITORY}/a`, `${PUBLIC}/1`, `${REPOSITORY}/b`]);
    expect(tree()).toEqual({ a: "644 hello" });
  });

  test.each([
    ["this pod", SELF],
    ["the metadata service", METADATA],
    ["a private network", DATA_NODE],
  ])("to a public host whose name then leads to %s are not", (_, address) => {
    const end = fetchFrom({
      hosts: `${PUBLIC} rebind.example`,
      answers: {
        [`${REPOSITORY}/a`]: redirect("http://rebind.example/1"),
        [`${PUBLIC}/1`]: redirect("http://rebind.example/2", { hosts: `${address} rebind.example` }),
        [`${address}/2`]: { body: "inside" },
      },
    });
    expect(end.code, end.stderr).toBe(10);
    expect(failureOf(end)).toMatchObject({
      reason: "redirect",
      message: `rebind.example is at ${address}, in a local network, to which no redirect may lead`,
    });
    expect(end.requests).toEqual([`${REPOSITORY}/a`, `${PUBLIC}/1`]);
  });

  test("are checked by each address of a name", () => {
    const end = fetchFrom({
      hosts: `${PUBLIC} both.example\n${METADATA} both.example`,
      answers: { [`${REPOSITORY}/a`]: redirect("http://both.example/1"), [`${PUBLIC}/1`]: { body: "x" } },
    });
    expect(failureOf(end).reason).toBe("redirect");
  });

  test("to a host that is allowed by name lead into the own network, and from there only to public hosts", () => {
    const answers = {
      [`${REPOSITORY}/a`]: redirect("http://store.internal/1"),
      [`${DATA_NODE}/1`]: redirect("http://self.example/2"),
      [`${SELF}/2`]: { body: "inside" },
    };
    const hosts = `${DATA_NODE} store.internal\n${SELF} self.example`;
    const end = fetchFrom({ hosts, answers }, { redirectHosts: ["*", "store.internal"] });
    expect(failureOf(end).reason).toBe("redirect");
    expect(end.requests).toEqual([`${REPOSITORY}/a`, `${DATA_NODE}/1`]);
  });
});

describe.runIf(canIsolate)("hostile server: a name node", () => {
  const status = JSON.stringify({ FileStatus: { length: 5, modificationTime: 1, type: "FILE" } });
  const hosts = `${DATA_NODE} dn1.hdfs.example\n${METADATA} meta.hdfs.example\n${SELF} self.hdfs.example`;

  function openAt(location: string, dataNodeHosts: readonly string[] = ["*"]): IsolatedEnd {
    const setting = pod();
    const path = `${REPOSITORY}/webhdfs/v1/x`;
    return runIsolated(setting, {
      addresses: ADDRESSES,
      hosts,
      answers: {
        [`${path}?op=GETFILESTATUS`]: { body: status },
        [`${path}?op=OPEN&offset=0`]: { status: 307, location },
        ...Object.fromEntries(ADDRESSES.map((address) => [`${address}/x`, { body: "hello" }])),
      },
      config: { dataNodeHosts, files: [{ from: { uri: `webhdfs://${REPOSITORY}/x` }, to: `${setting.volume}/x` }] },
    });
  }

  test.each([
    ["one in the own network", "http://dn1.hdfs.example/x", ["*"]],
    ["one by its address", `http://${DATA_NODE}/x`, ["*"]],
    ["itself", `http://${REPOSITORY}/x`, []],
    ["one of a domain that is allowed", "http://dn1.hdfs.example/x", ["*.hdfs.example"]],
    ["one that is allowed by name, wherever it is", "http://self.hdfs.example/x", ["self.hdfs.example"]],
  ])("may send to %s", (_, location, dataNodeHosts) => {
    const { code, stderr } = openAt(location, dataNodeHosts);
    expect(code, stderr).toBe(0);
  });

  test.each([
    ["a name of the metadata service", "http://meta.hdfs.example/x", ["*"]],
    ["a name of it in a domain that is allowed", "http://meta.hdfs.example/x", ["*.hdfs.example"]],
    ["its address", `http://${METADATA}/x`, ["*"]],
    ["this pod", "http://self.hdfs.example/x", ["*"]],
    ["this pod's address", `http://${SELF}/x`, ["*"]],
    ["this pod's address in other words", "http://0x7f.1/x", ["*"]],
    ["a host of another domain", "http://dn1.hdfs.example/x", ["*.example.com"]],
    ["a domain's end that is none", "http://evil-hdfs.example/x", ["*.hdfs.example"]],
  ])("may not send to %s", (_, location, dataNodeHosts) => {
    const end = openAt(location, dataNodeHosts);
    expect(end.code, end.stderr).toBe(10);
    expect(failureOf(end)).toMatchObject({ reason: "redirect", hint: "add that host to dataNodeHosts" });
    expect(end.requests).toHaveLength(2);
  });
});

describe("hostile server: redirects", () => {
  test.each([
    ["in octal", "http://0177.0.0.1/"],
    ["in hexadecimal", "http://0x7f000001/"],
    ["as one number", "http://2130706433/"],
    ["shortened", "http://127.1/"],
    ["with a dot at its end", "http://127.0.0.1./"],
    ["in full-width digits", "http://１２７.0.0.1/"],
    ["in circled digits", "http://①②⑦.0.0.1/"],
    ["as IPv6", "http://[::1]/"],
    ["mapped into IPv6", "http://[::ffff:127.0.0.1]/"],
    ["mapped into IPv6, in hexadecimal", "http://[::FFFF:7f00:1]/"],
    ["translated by NAT64", "http://[64:ff9b::7f00:1]/"],
    ["by a name in capitals", "http://LOCALHOST/"],
    ["unspecified", "http://0/"],
    ["unspecified, as IPv6", "http://[::]/"],
    ["after a user", "http://repo.example@127.0.0.1/"],
    ["without a scheme", "//127.0.0.1/"],
    ["with backslashes", "http:\\\\127.0.0.1\\"],
  ])("to an address that is written %s are refused", async (_, location) => {
    const server = await webServer((_, response) => {
      response.writeHead(302, { location: Buffer.from(location).toString("latin1") }).end();
    });
    const { run, volume } = pod();
    const { code, failure } = await run({ files: [{ from: { uri: `${server.uri}/a` }, to: `${volume}/a` }] });
    expect(code).toBe(10);
    expect(failure.reason).toBe("redirect");
    expect(server.requests).toHaveLength(1);
  });
});
