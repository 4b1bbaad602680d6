// Written by scripts/generate-token-characters.ts from the pinned SQLite's unicode61. SPEC §15.2
// Lengths of gaps and runs by turns, from code point 0, in base 36.

/** Characters that begin or continue a word. */
export const WORD_RUNS =
  "1c a 7 q 6 q 1b 1 7 2 1 1 3 2 1 3 1 n 1 v 1 cq 4 c e 5 7 1 1 1 3l 5 1 8 1 5 2 1 1 32 1 3v 8 5s 6 15 " +
  "2 4 1 1 1j 17 2 b 5 1 m 2 2 17 l a 4 2 1 2r 1 1 f 2 7 f 2 1 e 1 1 1 1 u r 2j b 1m 9 2 4 s 4 1 9 1 3 " +
  "1 5 2 f q 3 2 1 3p r 1 4 1i 3 1 i 1 7 a 4 a 1 g 3 1k 1 1 7 2 2 2 3 9 1 a 2 e 2 6 2 5 3 1k 1 1 5 4 2 " +
  "2 3 3 1 u 2 3 1 b 3 1k 1 1 8 1 3 1 3 k 2 c 2 f 3 1k 1 1 7 2 2 2 3 8 2 a 2 c 1 h 1 1n 5 3 3 1 4 9 1 r " +
  "8 6 3 1m 7 1 3 1 4 7 2 b 2 r 1 2 2 1k 1 1 7 1 3 1 4 7 2 b 2 u 2 1m 7 1 3 1 4 9 1 a 2 l 1 8 2 1y 1 4 " +
  "6 1 1 1 8 i 3 1o 1 2 7 4 1 7 9 a 2 2d 1 2 6 1 2 b 6 1f v k c 1d n 5 b 1 10 1 f 1 d 28 k b 6 6 4 4 3 " +
  "1 3 2 7 3 4 d c 1 1 a 6 2j 1 gx c 13 a 2u 1 h8 2 h 1 q 2 26 3 10 3 t 5 r 2 u 2 1s z 1 4 1 1 y f 4a 1 " +
  "3a c 4 c 4 1 3 2 2y h 7 2 k y n 5 2 2 1h a 1 t 2 1 w 7 1 6 2a 5 1b h l z 3 3 u d 1k e 8 4 10 k 3 5 " +
  "1q 2 1s 8 8 p 4 1 4 3 5n 13 l 4 cd 1 1 3 b 3 d 3 d 3 d 2 1 2t 5 6 a 5 b 5 h q m x f 2 1 4 1 2 a 1 1 " +
  "3 5 6 1 1 1 1 1 1 4 1 b 2 4 5 5 4 1 1 1s h0 c 13 p b 29 26 m e8 1 39 u qh 3 a az 6 4 3 7 4 1 2 34 1 " +
  "e 1 2o 27 1 c 1w q 1 2h c 5y q c 4 5 3 p 9 7 5 2 5 3 2h 4 3 1 2i 1 44 2 4 a w 10 s v b u 8 1 f w a " +
  "13 f 1r 1 74 534 1s h3k 1j 1j 2 7h 3 2n g w 1 28 8 8 n 9 2 2v 2 3b 1 3 1 4 1 n 9 a 4 1m 4 8 2 1e h 9 " +
  "2 g i 6 3 17 a n d b 1 w 4 1b r g 2 21 e c 1 8 2 e 4 n 3 1 1 1g 1 1 3 2 2 5 2 1 1 s 2 b 7 3 2 6k b " +
  "fn4 1 a 1 3s g ak 2 58 2 2 q 6 7 9 z 1 j 1 4 43 1 1 f a 7 q 6 q b 3e 7 1 7 a 7 74 3 1g 9 1l h 6 c 1g " +
  "1a bl 1 1c 1 w6 1 5j 1 v 1 5d 3 1 2 5 4 14 3 4 1 g 9 12 1 55 7 xs 3 1h m 1e 3 19 i 1q 3 10 e b 4 1o " +
  "3 1c e 4 4 yq d 2pk 4 esd 1a g 4 j1p 6u a 13 2 51 y 1y 56 2f oa 1 p 1 v 1 p 1 v 1 p 1 v 1 p 1 v 1 p " +
  "1 4ks 2 7i 18 4 2s c f 2 e 2 f 1 f 1c v 1 1o 4 17 23 t d 17 5 9 7 2 4u x f 6 1 1y 3 k c 11 1 5 l h f " +
  "1r 1 1 1 52 1 4 3 1q 2 4 c o 43 1y 4 b 1c 1y 1m 38 gwi5 1 u 2o 3k 6o 47bk";

/** Marks that continue a word and are left out of it. */
export const MARK_RUNS =
  "lc 5 1 7 2 1 1 1 9 1 7 6 4 2 1 2";

/** Characters of words that become another one: runs of `gap count step targetStep distance`. */
export const FOLDED =
  "1t q 1 1 w 38 1 1 1 lj b 6 1 0 -2n 6 1 1 1 w 1 2 2 2 -2s 1 2 2 0 -2r 3 1 1 1 -2u 1 4 1 0 -2r 4 1 1 1 " +
  "w 1 2 1 1 -2r 2 4 1 0 -2s 5 1 1 1 w 1 4 1 0 -2s 4 1 1 1 -2s 1 1 1 1 w 2 6 1 0 -3j 7 2 2 2 -3o 1 2 2 " +
  "0 -3n 3 1 1 1 -3q 1 4 1 0 -3n 5 2 1 1 -3n 2 4 1 0 -3o 6 4 1 0 -3o 4 2 2 0 -3o 3 6 1 0 -4f 6 8 1 0 " +
  "-4j 8 2 1 0 -4q 2 1 1 1 1 2 a 1 0 -4t a 8 1 0 -51 8 2 1 0 -58 2 1 1 1 1 2 9 1 0 -5b a 1 1 1 1 2 2 1 " +
  "0 -5m 2 2 1 0 -5n 3 6 1 0 -5p 6 2 2 2 1 4 6 1 0 -5x 7 1 1 1 1 2 6 1 0 -65 6 1 1 1 1 2 6 1 0 -6a 6 8 " +
  "1 0 -6f 8 4 1 0 -6m 4 1 1 1 1 2 c 1 0 -6r c 2 2 2 -71 1 2 2 2 -72 3 2 1 1 -73 2 5 1 0 -74 5 1 1 1 " +
  "-7g 2 1 1 1 5u 1 2 2 2 1 4 1 1 1 5q 1 1 1 1 1 2 2 1 1 5p 2 1 1 1 1 3 1 1 1 27 1 1 1 1 5m 1 1 1 1 5n " +
  "1 1 1 1 1 2 1 1 1 5p 1 1 1 1 5r 2 1 1 1 5v 1 1 1 1 5t 1 1 1 1 1 4 1 1 1 5v 1 1 1 1 5x 2 1 1 1 5y 1 2 " +
  "1 0 -8h 2 2 2 2 1 4 1 1 1 62 1 1 1 1 1 2 1 1 1 62 3 1 1 1 1 2 1 1 1 62 1 2 1 0 -8q 2 2 1 1 61 2 2 2 " +
  "2 1 4 1 1 1 63 1 1 1 1 1 4 1 1 1 1 8 2 1 0 2 3 2 1 0 2 3 2 1 0 2 3 2 1 0 -a4 2 2 1 0 -9y 2 2 1 0 -9u " +
  "2 a 1 0 -9q b 2 1 0 -al 2 3 2 2 1 6 2 1 0 -an 2 2 1 0 -al 2 4 1 0 -aj 4 1 1 1 1 2 1 1 1 -au 1 2 1 0 " +
  "2 3 2 1 0 -b1 2 1 1 1 -2p 1 1 1 1 -1k 1 2 1 0 -ay 2 2 1 0 -bd 2 2 2 2 1 4 4 1 0 -bj 4 4 1 0 -bj 4 4 " +
  "1 0 -bj 4 4 1 0 -bh 4 4 1 0 -bi 4 4 1 0 -bj 4 2 1 0 -bp 2 2 1 0 -bq 2 1 1 1 1 2 2 1 0 -c6 2 1 1 1 " +
  "-3m 2 2 2 2 1 4 2 1 0 -cl 2 2 1 0 -cj 2 8 1 0 -cb 8 2 1 0 -c9 8 1 1 1 8bv 1 1 1 1 1 2 1 1 1 -4j 1 1 " +
  "1 1 8bs 3 1 1 1 1 2 1 1 1 -5f 1 1 1 1 1x 1 1 1 1 1z 1 5 2 2 1 8a 2 2 2 1 6 1 1 1 1 g 1 1 1 12 2 3 1 " +
  "1 11 4 1 1 1 1s 2 2 1 1 1r 3 h 1 1 w i 9 1 1 w v 1 1 1 1 d 1 1 1 8 1 1 1 1 -u 1 1 1 1 -p 4 1 1 1 -f " +
  "1 1 1 1 -m 2 c 2 2 1 o 1 1 1 -1i 1 1 1 1 -1c 3 1 1 1 -1o 1 1 1 1 -1s 2 1 1 1 1 2 1 1 1 -7 1 1 1 1 1 " +
  "3 3 1 1 -3m 3 g 1 1 28 g w 1 1 w 28 h 2 2 1 16 r 2 2 1 1i 1 1 1 f 1 7 2 2 1 f 18 2 2 1 2p 12 1 1 1c " +
  "29b 12 1 1 5ls 13 1 1 1 5ls 6 1 1 1 5ls 2lv 2 1 0 -5un 2 6 1 0 -5uo 6 2 1 0 -5ut 2 a 1 0 -5uu a a 1 " +
  "0 -5v3 a 2 1 0 -5vc 2 2 1 0 -5vd 2 a 1 0 -5ve a 4 1 0 -5vn 4 6 1 0 -5vp 6 8 1 0 -5vu 8 6 1 0 -5w1 6 " +
  "8 1 0 -5w6 8 8 1 0 -5wd 8 4 1 0 -5wk 4 8 1 0 -5wm 8 a 1 0 -5wt a 8 1 0 -5x2 8 a 1 0 -5x9 a 4 1 0 " +
  "-5xi 4 a 1 0 -5xl a 4 1 0 -5xu 4 2 1 0 -5xx 2 6 1 0 -5xy 6 1 1 1 -5ym 1 1 1 1 -5yb 1 1 1 1 -5y9 1 1 " +
  "1 1 -5y8 2 1 1 1 -5yg 3 1 1 1 -5vj 2 o 1 0 -5z3 o g 1 0 -5zn g 4 1 0 -5zz 4 o 1 0 -5zx o e 1 0 -60f " +
  "e 8 1 0 -60p 8 3 2 2 1 e 8 1 1 -8 g 6 1 1 -8 g 8 1 1 -8 g 8 1 1 -8 g 6 1 1 -8 h 4 2 2 -8 f 8 1 1 -8 " +
  "w 8 1 1 -8 g 8 1 1 -8 g 8 1 1 -8 g 2 1 1 -8 2 2 1 1 -22 2 1 1 1 -9 2 1 1 1 -5j9 a 4 1 1 -2e 4 1 1 1 " +
  "-9 c 2 1 1 -8 2 2 1 1 -2s e 2 1 1 -8 2 2 1 1 -34 2 1 1 1 -7 c 2 1 1 -3k 2 2 1 1 -3i 2 1 1 1 -9 8a 1 " +
  "1 1 -5st 4 1 1 1 -6gv 1 1 1 1 -6h6 7 1 1 1 s 1a g 1 1 g z 1 1 1 1 22l 1b 1 1 1c 2o 1 1 1 1 2 1 1 1 " +
  "-8af 1 1 1 1 -2xy 1 1 1 1 -89z 3 3 2 2 1 6 1 1 1 -8bg 1 1 1 1 -8al 1 1 1 1 -8bj 1 1 1 1 -8bi 2 1 1 1 " +
  "1 3 1 1 1 1 9 2 1 1 -8cf 2 1e 2 2 1 2z 2 2 2 1 7 1 1 1 1 nym n 2 2 1 1s c 2 2 1 4i 7 2 2 1 g v 2 2 1 " +
  "1z 2 2 2 1 4 1 1 1 -r9g 1 5 2 2 1 d 1 1 1 1 2 1 1 1 -wmg 3 2 2 2 1 g 5 2 2 1 a 1 1 1 -wn8 h9z q 1 1 " +
  "w yn 14 1 1 14";
