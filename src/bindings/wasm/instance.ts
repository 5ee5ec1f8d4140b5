// SPDX-License-Identifier: GPL-3.0-or-later
// One running module: text in, JSON out. The module is a WASI reactor; the few system calls its
// C++ library may make are answered here (time, random bytes, messages to the console). The engine with threads is one
// instance per worker over one shared memory: the first initializes it and answers, the others only serve.

export type Source = WebAssembly.Module | Response | PromiseLike<Response> | BufferSource;

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  rokada_input(size: number): number;
  rokada_output(): number;
  rokada_thread_stack?(): number;
  rokada_threads?(): number;
  rokada_thread_serve?(number: number): never;
  __stack_pointer?: WebAssembly.Global<'i32'>;
  [name: string]: unknown;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const errnoBadDescriptor = 8;
const errnoNotSupported = 58;

// What a worker needs to become a thread of an engine; can be posted to it.
export interface Seat {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  number: number;
  stack: number;
}

// In pages of 64 KB; the largest is what the linker was told (see build). A browser may refuse so much.
const firstPages = 1024;
const mostPages = [8192, 4096, 2048];

function sharedMemory(): WebAssembly.Memory {
  for (const maximum of mostPages) {
    try {
      return new WebAssembly.Memory({ initial: firstPages, maximum, shared: true });
    } catch {
      continue;
    }
  }
  throw new Error('rokada: there is not enough memory for threads');
}

export class Instance {
  constructor(
    private readonly exports: Exports,
    private readonly module: WebAssembly.Module,
  ) {}

  // Fields are separated by line feeds, the last one may contain them.
  ask<T>(name: string, fields: readonly string[]): T {
    const call = this.exports[name] as ((size: number) => number) | undefined;
    if (!call) return { ok: false, error: `${name} is not part of this module` } as T;
    const bytes = encoder.encode(fields.join('\n'));
    const at = this.exports.rokada_input(bytes.length);
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
    const size = call(bytes.length);
    return JSON.parse(this.text(this.exports.rokada_output(), size)) as T;
  }

  text(at: number, size: number): string {
    return decoder.decode(bytesAt(this.exports.memory, at, size));
  }

  get canShare(): boolean {
    return this.exports.rokada_thread_stack !== undefined;
  }

  get threads(): number {
    return this.exports.rokada_threads?.() ?? 1;
  }

  seat(number: number): Seat {
    const { memory } = this.exports;
    return { module: this.module, memory, number, stack: this.exports.rokada_thread_stack!() };
  }
}

// A copy: text in shared memory is not decoded by browsers.
const bytesAt = (memory: WebAssembly.Memory, at: number, size: number): Uint8Array<ArrayBuffer> => new Uint8Array(memory.buffer, at, size).slice();

export interface Hooks {
  // Called by a thinking engine with one JSON text per line of thought.
  onInfo?: (json: string) => void;
  // Asked now and then by one that thinks: whether it shall end.
  stopped?: () => boolean;
}

export async function instantiate(source: Source, hooks: Hooks = {}): Promise<Instance> {
  const module = await compile(source);
  const exports = await start(module, hooks);
  exports._initialize();
  return new Instance(exports, module);
}

// Never returns: the worker belongs to the engine from now on.
export async function takeSeat({ module, memory, number, stack }: Seat): Promise<never> {
  const exports = await start(module, {}, memory);
  exports.__stack_pointer!.value = stack;
  return exports.rokada_thread_serve!(number);
}

async function start(module: WebAssembly.Module, hooks: Hooks, given?: WebAssembly.Memory): Promise<Exports> {
  let exports: Exports | undefined;
  const view = (): DataView => new DataView(exports!.memory.buffer);

  const system = {
    clock_time_get(_clock: number, _precision: bigint, result: number): number {
      view().setBigUint64(result, BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e6)), true);
      return 0;
    },
    clock_res_get(_clock: number, result: number): number {
      view().setBigUint64(result, 1000n, true);
      return 0;
    },
    random_get(at: number, size: number): number {
      new Uint8Array(exports!.memory.buffer, at, size).set(crypto.getRandomValues(new Uint8Array(size)));
      return 0;
    },
    fd_write(descriptor: number, vectors: number, count: number, written: number): number {
      if (descriptor !== 1 && descriptor !== 2) return errnoBadDescriptor;
      let total = 0;
      let text = '';
      for (let i = 0; i < count; ++i) {
        const at = view().getUint32(vectors + i * 8, true);
        const size = view().getUint32(vectors + i * 8 + 4, true);
        text += decoder.decode(bytesAt(exports!.memory, at, size));
        total += size;
      }
      console.warn(`rokada: ${text.trimEnd()}`);
      view().setUint32(written, total, true);
      return 0;
    },
    proc_exit(code: number): never {
      throw new Error(`rokada: the module stopped with code ${code}`);
    },
    environ_sizes_get(count: number, size: number): number {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    args_sizes_get(count: number, size: number): number {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    args_get: () => 0,
    sched_yield: () => 0,
    // No folder has been opened for us: that ends the library's search for them.
    fd_prestat_get: () => errnoBadDescriptor,
  };
  // Files and sockets do not exist here; the library links a few of these calls all the same.
  const wasi = new Proxy(system as Record<string, unknown>, {
    get: (known, name: string) => known[name] ?? ((): number => errnoNotSupported),
  });
  const own = {
    info(at: number, size: number): void {
      hooks.onInfo?.(decoder.decode(bytesAt(exports!.memory, at, size)));
    },
    stopped: (): number => (hooks.stopped?.() ? 1 : 0),
  };

  const imports: WebAssembly.Imports = { wasi_snapshot_preview1: {}, rokada: {} };
  let memory = given;
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind === 'memory') imports[from] = { ...imports[from], [name]: (memory ??= sharedMemory()) };
    else if (from === 'wasi_snapshot_preview1') imports[from]![name] = wasi[name] as WebAssembly.ImportValue;
    else if (from === 'rokada') imports[from]![name] = (own as Record<string, WebAssembly.ImportValue>)[name]!;
  }
  const instance = await WebAssembly.instantiate(module, imports);
  exports = { ...(instance.exports as unknown as Exports), ...(memory ? { memory } : {}) };
  return exports;
}

export async function compile(source: Source): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const response = await (source as PromiseLike<Response>);
  if (!response.ok) throw new Error(`rokada: the module could not be fetched (${response.status})`);
  // A proxy may change the type; streaming insists on it, so fall back to the bytes.
  if (response.headers.get('content-type')?.startsWith('application/wasm')) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
