/** The file that the shell starts. Where Node keeps compiled code (22.1 and later), the next run of the program need not compile it again; the
 *  cache must be on before anything else is loaded. */
import module from "node:module";

/** Its types are those of the oldest Node that is supported. */
(module as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();
await import("./main.ts");
