import { resources } from "@kindling/kube";
import { type ApplicationState, customResources } from "@kindling/spark-application";
import { manifest } from "../manifest.ts";
import type { Stage } from "./stage.ts";

/** The actions of a user on an application during its life. */
export interface Person {
  create(spec: Readonly<Record<string, unknown>>): Promise<void>;
  /** A merge patch. */
  edit(spec: Readonly<Record<string, unknown>>): Promise<void>;
  remove(): Promise<void>;
  /** Makes the service account of this name. */
  makeAccount(name: string): Promise<void>;
  /** Resolves when the application is in a state, after a number of submissions. */
  waitFor(state: ApplicationState, submissionAttempts?: number): Promise<void>;
  /** Resolves when the first driver pod exists, whatever the status says. */
  waitForDriver(): Promise<void>;
  waitUntilGone(): Promise<void>;
  /** Resolves when there are this many events about the application. */
  waitForEvents(count: number): Promise<void>;
  /** Lets the driver that runs end. */
  endDriver(exitCode: number): Promise<void>;
}

/** The name of the application in each namespace. */
export const NAME = "pi";

export function personWith({ client, bystander, end, spec: ofAll }: Stage, namespace: string): Person {
  const seen = bystander.seen(namespace);
  const patch = (spec: object): Promise<unknown> =>
    client.patch(customResources.sparkApplications, NAME, "merge", { spec }, { namespace });
  return {
    async create(spec) {
      const object = manifest(NAME, { ...ofAll, ...spec }, namespace);
      await client.create(customResources.sparkApplications, object, { namespace });
    },
    async edit(spec) {
      await patch(spec);
    },
    async remove() {
      await client.delete(customResources.sparkApplications, NAME, { namespace });
    },
    async makeAccount(name) {
      await client.create(resources.serviceaccounts, { metadata: { name } }, { namespace });
    },
    async waitFor(state, submissionAttempts) {
      await bystander.until(() => {
        const { status } = seen.application ?? {};
        if (status?.applicationState.state !== state) return undefined;
        return submissionAttempts === undefined || status.submissionAttempts === submissionAttempts ? true : undefined;
      });
    },
    async waitForDriver() {
      await bystander.until(() => [...seen.made.values()].find(({ kind }) => kind === "Pod"));
    },
    async waitUntilGone() {
      await bystander.until(() => (seen.states.length > 0 && seen.application === undefined ? true : undefined));
    },
    async waitForEvents(count) {
      await bystander.until(() => (seen.reasons.length >= count ? true : undefined));
    },
    endDriver(exitCode) {
      end({ namespace, name: `${NAME}-driver` }, exitCode);
      return Promise.resolve();
    },
  };
}
