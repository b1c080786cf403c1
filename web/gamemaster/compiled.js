// The library as WebAssembly, at an address, which may be one with the data in it; packed by gzip or not.

async function compiled(address) {
  const file = await fetch(address);
  if (!file.ok) throw new Error(`${address} cannot be loaded (${file.status})`);
  const bytes = await file.arrayBuffer();
  const [first, second] = new Uint8Array(bytes, 0, 2);
  if (first !== 0x1f || second !== 0x8b) return WebAssembly.compile(bytes);
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(unpacked).arrayBuffer());
}
