// Makes QR codes as ISO/IEC 18004 describes them: bytes, error correction level M, versions 1 to 20. The page does it by
// itself, since the secret in its address must not reach a server.
"use strict";

// By version, from 1: the bytes for correction in each block, and the number of blocks.
const correctionBytes = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
const correctionBlocks = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];

// The product of two elements of the field of 256 elements.
function product(one, other) {
  let result = 0;
  for (let bit = 7; bit >= 0; bit--) {
    result = (result << 1) ^ ((result >> 7) * 0x11d);
    if ((other >> bit) & 1) result ^= one;
  }
  return result;
}

// The remainder of a block by Reed and Solomon's generator of so many bytes.
function correction(block, count) {
  const generator = new Array(count).fill(0);
  generator[count - 1] = 1;
  let root = 1;
  for (let step = 0; step < count; step++) {
    for (let index = 0; index < count; index++) {
      generator[index] = product(generator[index], root);
      if (index + 1 < count) generator[index] ^= generator[index + 1];
    }
    root = product(root, 2);
  }
  const rest = new Array(count).fill(0);
  for (const byte of block) {
    const factor = byte ^ rest.shift();
    rest.push(0);
    generator.forEach((coefficient, index) => { rest[index] ^= product(coefficient, factor); });
  }
  return rest;
}

// The centres of the alignment patterns on each axis.
function alignments(version, side) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  const centres = [6];
  for (let place = side - 7; centres.length < count; place -= step) centres.splice(1, 0, place);
  return centres;
}

// How many bits are for bytes and their correction.
function capacity(version) {
  let bits = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const count = Math.floor(version / 7) + 2;
    bits -= (25 * count - 10) * count - 55;
    if (version >= 7) bits -= 36;
  }
  return bits;
}

// The bytes of a text, cut into blocks with their correction, in the order of the code.
function codewords(bytes, version) {
  const all = Math.floor(capacity(version) / 8);
  const [count, extra] = [correctionBlocks[version - 1], correctionBytes[version - 1]];
  const room = all - count * extra;
  const bits = [];
  const append = (value, length) => {
    for (let bit = length - 1; bit >= 0; bit--) bits.push((value >> bit) & 1);
  };
  append(4, 4);
  append(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) append(byte, 8);
  append(0, Math.min(4, room * 8 - bits.length));
  append(0, (8 - bits.length % 8) % 8);
  for (let pad = 0xec; bits.length < room * 8; pad ^= 0xec ^ 0x11) append(pad, 8);
  const data = [];
  for (let index = 0; index < bits.length; index += 8) data.push(parseInt(bits.slice(index, index + 8).join(""), 2));
  // The last blocks have a byte more where they do not come out even.
  const short = Math.floor(room / count);
  const blocks = [];
  for (let index = 0, start = 0; index < count; index++) {
    const end = start + short + (index < count - room % count ? 0 : 1);
    blocks.push(data.slice(start, end));
    start = end;
  }
  const words = [];
  for (let index = 0; index <= short; index++) {
    for (const block of blocks) if (index < block.length) words.push(block[index]);
  }
  const corrections = blocks.map((block) => correction(block, extra));
  for (let index = 0; index < extra; index++) for (const block of corrections) words.push(block[index]);
  return words;
}

// The remainder of a number by a generator of a cyclic code, behind the number.
function coded(number, generator, length) {
  let rest = number;
  for (let bit = 0; bit < length; bit++) rest = (rest << 1) ^ ((rest >> (length - 1)) * generator);
  return (number << length) | rest;
}

// The fields of the code of a text, row by row, true where dark; null for a text that is too long.
function qrFields(text) {
  const bytes = new TextEncoder().encode(text);
  let version = 1;
  while (version <= 20) {
    const room = Math.floor(capacity(version) / 8) - correctionBlocks[version - 1] * correctionBytes[version - 1];
    if (bytes.length + (version < 10 ? 2 : 3) <= room) break;
    version++;
  }
  if (version > 20) return null;
  const side = version * 4 + 17;
  const fields = Array.from({ length: side }, () => new Array(side).fill(false));
  const fixed = Array.from({ length: side }, () => new Array(side).fill(false));
  const set = (column, row, isDark) => {
    if (column < 0 || row < 0 || column >= side || row >= side) return;
    fields[row][column] = isDark;
    fixed[row][column] = true;
  };
  for (let place = 0; place < side; place++) {
    set(6, place, place % 2 === 0);
    set(place, 6, place % 2 === 0);
  }
  for (const [column, row] of [[3, 3], [side - 4, 3], [3, side - 4]]) {
    for (let down = -4; down <= 4; down++) {
      for (let across = -4; across <= 4; across++) {
        const ring = Math.max(Math.abs(down), Math.abs(across));
        set(column + across, row + down, ring !== 2 && ring !== 4);
      }
    }
  }
  const centres = alignments(version, side);
  const last = centres.length - 1;
  centres.forEach((row, down) => centres.forEach((column, across) => {
    // Not over the three large patterns in the corners.
    if ((down === 0 && (across === 0 || across === last)) || (down === last && across === 0)) return;
    for (let y = -2; y <= 2; y++) {
      for (let x = -2; x <= 2; x++) set(column + x, row + y, Math.max(Math.abs(x), Math.abs(y)) !== 1);
    }
  }));
  if (version >= 7) {
    const bits = coded(version, 0x1f25, 12);
    for (let bit = 0; bit < 18; bit++) {
      const [near, far] = [Math.floor(bit / 3), side - 11 + bit % 3];
      set(far, near, ((bits >> bit) & 1) === 1);
      set(near, far, ((bits >> bit) & 1) === 1);
    }
  }
  // Level M has the number 0, the mask used here, every other row, the number 1.
  const format = coded(1, 0x537, 10) ^ 0x5412;
  const bitOfFormat = (bit) => ((format >> bit) & 1) === 1;
  for (let bit = 0; bit <= 5; bit++) set(8, bit, bitOfFormat(bit));
  set(8, 7, bitOfFormat(6));
  set(8, 8, bitOfFormat(7));
  set(7, 8, bitOfFormat(8));
  for (let bit = 9; bit < 15; bit++) set(14 - bit, 8, bitOfFormat(bit));
  for (let bit = 0; bit < 8; bit++) set(side - 1 - bit, 8, bitOfFormat(bit));
  for (let bit = 8; bit < 15; bit++) set(8, side - 15 + bit, bitOfFormat(bit));
  set(8, side - 8, true);
  const words = codewords(bytes, version);
  let next = 0;
  for (let right = side - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < side; step++) {
      const row = ((right + 1) & 2) === 0 ? side - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (fixed[row][column]) continue;
        const isDark = next < words.length * 8 && ((words[next >> 3] >> (7 - (next & 7))) & 1) === 1;
        fields[row][column] = isDark !== (row % 2 === 0);
        next++;
      }
    }
  }
  return fields;
}
