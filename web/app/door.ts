/** A door as the page knows it: a screen over its own settings. A further one is a folder with this and an engine's side (engine/door.ts). */
import type { FunctionComponent } from "preact";
import type { OpenData, Settings } from "../engine/protocol.ts";
import type { Engine } from "./engine.ts";
import type { Store } from "./store.ts";

export interface DoorProps {
  readonly engine: Engine;
  readonly store: Store;
  readonly settings: Settings;
  readonly data: OpenData | undefined;
  readonly onCancel: () => void;
}

export interface PageDoor {
  readonly name: string;
  readonly title: string;
  /** Settings that may stand in the address: numbers and choices, never names that come from data. */
  readonly shared: readonly string[];
  /** Settings that a document which is opened leaves alone. */
  readonly keeps?: readonly string[];
  /** Without a file it says so. */
  readonly needsData: boolean;
  readonly Screen: FunctionComponent<DoorProps>;
}
