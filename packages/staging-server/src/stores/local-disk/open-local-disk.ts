import type { Storage, StoreContext } from "../store-driver.ts";
import { lockData } from "./data-lock.ts";
import { makeDataFolder, openLayout, usable } from "./layout.ts";
import { limitedDocuments } from "./limited-documents.ts";
import type { LocalDiskSettings } from "./local-disk-settings.ts";
import { localDiskStore } from "./local-disk-store.ts";
import { localDocuments } from "./local-documents.ts";
import { spaceReserve } from "./space-reserve.ts";

/** @throws KindlingError if the folder cannot be used */
export async function openLocalDisk(settings: LocalDiskSettings, context: StoreContext): Promise<Storage> {
  const { descriptors, clock, random, onLost, onDamage, onStep } = context;
  const root = settings["store.path"];
  await makeDataFolder(root);
  // The lock comes first, so that only one server makes and repairs the files below.
  const lock = await usable(root, () => lockData(root, { clock, onLost, nonce: random.uuid() }));
  try {
    const layout = await openLayout(root, { clock, onDamage, mostBytes: settings["store.damagedBytes"] });
    const reserve = spaceReserve(layout.reserve);
    await reserve.refill();
    const { folders, damaged } = layout;
    const confirm = (): Promise<void> => lock.confirm();
    const hook = onStep === undefined ? {} : { onStep };
    const local = await usable(root, () =>
      localDocuments(layout.meta, { folders, damaged, reserve, confirm, ...hook }),
    );
    const documents = limitedDocuments(local, descriptors.documents);
    const store = localDiskStore({
      layout,
      clock,
      reserve,
      confirm,
      readBufferBytes: context.readBufferBytes,
      mostUnflushed: descriptors.unflushed,
      ...hook,
    });
    return {
      store,
      documents,
      async close() {
        await store.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}
