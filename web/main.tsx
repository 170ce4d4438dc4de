/** The page begins here. */
import { render } from "preact";
import { App } from "./app/app.tsx";
import { trustedUrl } from "./app/trusted.ts";

render(<App />, document.getElementById("app")!);

// a hosted page works offline after its first load; one from the disk does anyway
if ("serviceWorker" in navigator && location.protocol.startsWith("http")) {
  navigator.serviceWorker.register(trustedUrl(new URL("offline.js", document.baseURI).href)).catch(() => {});
}
