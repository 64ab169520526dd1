import { describe, expect, test } from "vitest";
import { caughtFrom } from "@kindling/test-kit/caught";
import { hadoopUser, sparkUser, type UserSources } from "../../src/gather/user.ts";

function named(sources: Partial<UserSources>): string {
  return hadoopUser({ env: {}, definitions: {}, proxyUser: undefined, ...sources });
}

describe("the user as Hadoop finds it", () => {
  test("is whom spark-submit acts for, then whom Hadoop acts for, then whom Hadoop is told", () => {
    const env = { HADOOP_PROXY_USER: "proxy", HADOOP_USER_NAME: "told" };
    expect(named({ env, proxyUser: "flag" })).toBe("flag");
    expect(named({ env })).toBe("proxy");
    expect(named({ env: { HADOOP_USER_NAME: "told" } })).toBe("told");
  });

  test("may be told by -D, below the environment", () => {
    const definitions = { HADOOP_USER_NAME: "defined" };
    expect(named({ definitions })).toBe("defined");
    expect(named({ definitions, env: { HADOOP_USER_NAME: "told" } })).toBe("told");
    expect(named({ definitions, env: { HADOOP_PROXY_USER: "proxy" } })).toBe("proxy");
  });

  test.each([
    ["bob", "bob"],
    ["bob@REALM", "bob"],
    ["bob/host@REALM", "bob"],
    ["bob/host", "bob"],
    ["a/b/c", "a/b/c"],
    ["a b", "a b"],
    ["", ""],
  ])("%j is called %j", (name, short) => expect(named({ env: { HADOOP_USER_NAME: name } })).toBe(short));

  test.each(["@", "bob@", "@REALM", "a@b@c"])("%j is refused", (name) => {
    expect(caughtFrom(() => named({ env: { HADOOP_USER_NAME: name } }))).toMatchObject({ code: "ARGUMENT_INVALID" });
  });

  test("an empty name cannot be acted for", () => {
    expect(caughtFrom(() => named({ proxyUser: "" }))).toMatchObject({
      message: "--proxy-user: the user's name is empty",
    });
    expect(caughtFrom(() => named({ env: { HADOOP_PROXY_USER: "" } }))).toMatchObject({ code: "ARGUMENT_INVALID" });
  });
});

test("SPARK_USER wins over Hadoop's user", () => {
  expect(sparkUser({ SPARK_USER: "spark" }, "hadoop")).toBe("spark");
  expect(sparkUser({}, "hadoop")).toBe("hadoop");
});
