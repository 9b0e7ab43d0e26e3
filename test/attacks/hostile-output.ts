/** Shell commands whose output is meant to stop, slow down or fill the emulator of the terminal. */
const counts = ['20000000', '2147483647'];
const finals = ['L', 'M', 'S', 'T', '@', 'P', 'X', 'b', 'I', 'Z'];

/** One of each, for `printf`. Some repeat the character before them. */
export const hugeCounts = finals.flatMap((final) => counts.map((count) => `x\\033[${count}${final}`));

export const hostileOutput: Record<string, string> = {
  'huge counts': `while :; do printf '${hugeCounts.join('')}'; sleep 0.05; done`,
  'ever other private modes': `seq -f $'\\e[?%.0fh' 18000000`,
  'combining marks': `printf a; yes $'\\u0301\\u0302\\u0303' | tr -d '\\n'`,
  'a screen full of colours': `while :; do printf '\\033[H'; for i in {1..4000}; do printf '\\033[38;2;%d;%d;7m\\033[48;2;9;%d;%dm%c' $((i%255)) $((i%251)) $((i%241)) $((i%239)) x; done; done`,
  'an endless title': `printf '\\033]0;'; yes title | tr -d '\\n'`,
  'an endless device control string': `printf '\\033P$q'; yes string | tr -d '\\n'`,
  'a link for each character': `seq -f $'\\e]8;id=%.0f;http://example.com/%.0f\\e\\\\x' 100000000`,
  'erasures of the whole screen': `yes $'\\e[2J\\e#8\\e[300L\\e[300S\\e[500@'`,
  'an underline for each character': `yes $'\\e[4:3m\\e[58:2::1:2:3mx\\e[58:5:7my' | tr -d '\\n'`,
  'switches of the screen': `yes $'\\e[?1049h\\e[?1049l\\ec' | tr -d '\\n'`,
};
