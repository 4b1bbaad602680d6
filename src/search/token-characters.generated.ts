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

/** Characters of words that become another one: runs of `first count step target`. */
export const FOLDED =
  "1t q 1 2p 51 1 1 qk 5c 1 1 2p 5d 1 1 2p 5e 1 1 2p 5f 1 1 2p 5g 1 1 2p 5h 3 2 2p 5i 1 1 6e 5k 1 1 2t " +
  "5m 1 1 2t 5n 1 1 2t 5o 1 1 2x 5p 1 1 2x 5q 1 1 2x 5r 1 1 2x 5s 1 1 6o 5t 2 1 32 5v 1 1 33 5w 1 1 33 " +
  "5x 1 1 33 5y 1 1 33 60 1 1 6w 61 1 1 39 62 1 1 39 63 1 1 39 64 1 1 39 65 1 1 3d 66 1 1 72 68 1 1 2p " +
  "69 1 1 2p 6a 1 1 2p 6b 1 1 2p 6c 1 1 2p 6d 3 2 2p 6g 1 1 2t 6i 1 1 2t 6j 1 1 2t 6k 1 1 2x 6l 1 1 2x " +
  "6m 1 1 2x 6n 1 1 2x 6p 2 1 32 6r 1 1 33 6s 1 1 33 6t 1 1 33 6u 1 1 33 6x 1 1 39 6y 1 1 39 6z 1 1 39 " +
  "70 1 1 39 71 1 1 3d 73 1 1 3d 74 1 1 2p 75 1 1 2p 76 1 1 2p 77 1 1 2p 78 2 2 2p 79 2 2 2p 7c 1 1 2r " +
  "7d 1 1 2r 7e 1 1 2r 7f 1 1 2r 7g 1 1 2r 7h 2 1 2r 7j 1 1 2s 7k 1 1 7l 7m 1 1 2t 7n 1 1 2t 7o 1 1 2t " +
  "7p 1 1 2t 7q 1 1 2t 7r 1 1 2t 7s 1 1 2t 7t 1 1 2t 7u 2 2 2t 7v 2 2 2t 7y 1 1 2v 7z 1 1 2v 80 1 1 2v " +
  "81 1 1 2v 82 1 1 2v 83 2 1 2v 85 1 1 2w 86 1 1 87 88 1 1 2x 89 1 1 2x 8a 1 1 2x 8b 1 1 2x 8c 1 1 2x " +
  "8d 1 1 2x 8e 1 1 2x 8f 1 1 2x 8g 1 1 2x 8i 1 1 8j 8k 1 1 2y 8l 2 1 2y 8n 1 1 2z 8p 1 1 30 8q 1 1 30 " +
  "8r 1 1 30 8s 1 1 30 8t 1 1 30 8u 1 1 30 8v 2 2 8w 8z 1 1 32 90 1 1 32 91 1 1 32 92 1 1 32 93 1 1 32 " +
  "94 1 1 32 96 1 1 97 98 1 1 33 99 1 1 33 9a 1 1 33 9b 1 1 33 9c 1 1 33 9d 1 1 33 9e 1 1 9f 9g 1 1 36 " +
  "9h 1 1 36 9i 1 1 36 9j 1 1 36 9k 1 1 36 9l 2 1 36 9n 1 1 37 9o 1 1 37 9p 1 1 37 9q 1 1 37 9r 1 1 37 " +
  "9s 1 1 37 9t 2 1 37 9v 1 1 38 9w 1 1 38 9x 1 1 38 9y 1 1 9z a0 1 1 39 a1 1 1 39 a2 1 1 39 a3 1 1 39 " +
  "a4 1 1 39 a5 1 1 39 a6 1 1 39 a7 1 1 39 a8 1 1 39 a9 1 1 39 aa 3 2 39 ab 3 2 39 ag 2 1 3d ai 1 1 3e " +
  "aj 1 1 3e ak 1 1 3e al 1 1 3e am 1 1 3e an 1 1 37 ap 1 1 gj aq 2 2 ar au 1 1 gk av 1 1 aw ax 2 1 gm " +
  "az 1 1 b0 b2 1 1 d9 b3 1 1 gp b4 1 1 gr b5 1 1 b6 b7 1 1 gw b8 1 1 gz ba 1 1 h5 bb 1 1 h4 bc 1 1 bd " +
  "bg 1 1 hb bh 1 1 he bj 1 1 hh bk 1 1 33 bl 1 1 33 bm 2 2 bn bq 1 1 hs br 1 1 bs bt 1 1 hv bw 1 1 bx " +
  "by 1 1 i0 bz 1 1 39 c0 1 1 39 c1 2 1 i2 c3 2 2 c4 c7 1 1 ia c8 1 1 c9 cc 1 1 cd ck 1 1 cm cl 1 1 cm " +
  "cn 1 1 cp co 1 1 cp cq 1 1 cs cr 1 1 cs ct 1 1 2p cu 1 1 2p cv 1 1 2x cw 1 1 2x cx 1 1 33 cy 1 1 33 " +
  "cz 1 1 39 d0 1 1 39 d1 1 1 39 d2 1 1 39 d3 1 1 39 d4 1 1 39 d5 1 1 39 d6 1 1 39 d7 1 1 39 d8 1 1 39 " +
  "da 1 1 2p db 1 1 2p dc 3 2 dd di 1 1 2v dj 1 1 2v dk 1 1 2z dl 1 1 2z dm 1 1 33 dn 1 1 33 do 1 1 33 " +
  "dp 1 1 33 dq 1 1 dr ds 1 1 2y dt 1 1 dv du 1 1 dv dw 1 1 2v dx 1 1 2v dy 1 1 b9 dz 1 1 cf e0 1 1 32 " +
  "e1 1 1 32 e2 1 1 2p e3 1 1 2p e4 2 2 e5 e8 1 1 2p e9 1 1 2p ea 1 1 2p eb 1 1 2p ec 1 1 2t ed 1 1 2t " +
  "ee 1 1 2t ef 1 1 2t eg 1 1 2x eh 1 1 2x ei 1 1 2x ej 1 1 2x ek 1 1 33 el 1 1 33 em 1 1 33 en 1 1 33 " +
  "eo 1 1 36 ep 1 1 36 eq 1 1 36 er 1 1 36 es 1 1 39 et 1 1 39 eu 1 1 39 ev 1 1 39 ew 1 1 37 ex 2 1 37 " +
  "ez 1 1 38 f0 1 1 f1 f2 1 1 2w f3 1 1 2w f4 1 1 bi f6 2 2 f7 fa 1 1 2p fb 1 1 2p fc 1 1 2t fd 1 1 2t " +
  "fe 1 1 33 ff 1 1 33 fg 1 1 33 fh 1 1 33 fi 1 1 33 fj 1 1 33 fk 1 1 33 fl 1 1 33 fm 1 1 3d fn 1 1 3d " +
  "fu 1 1 8rp fv 1 1 fw fx 1 1 be fy 1 1 8rq g1 1 1 g2 g3 1 1 ao g4 1 1 i1 g5 1 1 i4 g6 5 2 g7 og 2 2 " +
  "oh om 1 1 on p2 1 1 q4 p4 3 1 q5 p8 1 1 r0 pa 2 1 r1 pd h 1 q9 pv 9 1 qr qq 1 1 qr r3 1 1 rb r4 1 1 " +
  "qa r5 1 1 qg r9 1 1 qu ra 1 1 qo rc c 2 rd s0 1 1 qi s1 1 1 qp s4 1 1 qg s5 1 1 qd s7 1 1 s8 s9 1 1 " +
  "s2 sa 1 1 sb sd 3 1 or sg g 1 uo sw w 1 ts v4 h 2 v5 wa r 2 wb xs 1 1 y7 xt 7 2 xu y8 18 2 y9 10x 12 " +
  "1 129 3a8 12 1 8w0 3bb 1 1 8x3 3bh 1 1 8x9 5xc 1 1 2p 5xd 2 1 2p 5xf 1 1 2q 5xg 1 1 2q 5xh 1 1 2q " +
  "5xi 1 1 2q 5xj 2 1 2q 5xl 2 1 2r 5xn 1 1 2s 5xo 1 1 2s 5xp 1 1 2s 5xq 1 1 2s 5xr 1 1 2s 5xs 1 1 2s " +
  "5xt 1 1 2s 5xu 1 1 2s 5xv 2 1 2s 5xx 1 1 2t 5xy 1 1 2t 5xz 1 1 2t 5y0 1 1 2t 5y1 1 1 2t 5y2 1 1 2t " +
  "5y3 1 1 2t 5y4 1 1 2t 5y5 2 1 2t 5y7 2 1 2u 5y9 2 1 2v 5yb 1 1 2w 5yc 1 1 2w 5yd 1 1 2w 5ye 1 1 2w " +
  "5yf 1 1 2w 5yg 1 1 2w 5yh 1 1 2w 5yi 1 1 2w 5yj 2 1 2w 5yl 1 1 2x 5ym 2 2 2x 5yn 2 2 2x 5yq 1 1 2z " +
  "5yr 1 1 2z 5ys 1 1 2z 5yt 2 1 2z 5yv 1 1 30 5yw 1 1 30 5yx 1 1 30 5yy 1 1 30 5yz 1 1 30 5z0 1 1 30 " +
  "5z1 2 1 30 5z3 1 1 31 5z4 1 1 31 5z5 1 1 31 5z6 1 1 31 5z7 2 1 31 5z9 1 1 32 5za 1 1 32 5zb 1 1 32 " +
  "5zc 1 1 32 5zd 1 1 32 5ze 1 1 32 5zf 2 1 32 5zh 1 1 33 5zi 1 1 33 5zj 1 1 33 5zk 1 1 33 5zl 1 1 33 " +
  "5zm 1 1 33 5zn 2 1 33 5zp 1 1 34 5zq 2 2 34 5zr 2 2 34 5zu 1 1 36 5zv 1 1 36 5zw 1 1 36 5zx 1 1 36 " +
  "5zy 1 1 36 5zz 2 1 36 601 1 1 37 602 1 1 37 603 1 1 37 604 1 1 37 605 1 1 37 606 1 1 37 607 1 1 37 " +
  "608 1 1 37 609 2 1 37 60b 1 1 38 60c 1 1 38 60d 1 1 38 60e 1 1 38 60f 1 1 38 60g 1 1 38 60h 2 1 38 " +
  "60j 1 1 39 60k 1 1 39 60l 1 1 39 60m 1 1 39 60n 1 1 39 60o 1 1 39 60p 1 1 39 60q 1 1 39 60r 2 1 39 " +
  "60t 1 1 3a 60u 1 1 3a 60v 2 1 3a 60x 1 1 3b 60y 1 1 3b 60z 1 1 3b 610 1 1 3b 611 1 1 3b 612 1 1 3b " +
  "613 1 1 3b 614 1 1 3b 615 2 1 3b 617 1 1 3c 618 1 1 3c 619 2 1 3c 61b 2 1 3d 61d 1 1 3e 61e 1 1 3e " +
  "61f 1 1 3e 61g 1 1 3e 61h 1 1 3e 61i 1 1 2w 61j 1 1 38 61k 1 1 3b 61l 1 1 3d 61n 1 1 37 61q 1 1 67 " +
  "61s 1 1 2p 61t 1 1 2p 61u 1 1 2p 61v 1 1 2p 61w 1 1 2p 61x 1 1 2p 61y 1 1 2p 61z 1 1 2p 620 1 1 2p " +
  "621 1 1 2p 622 1 1 2p 623 1 1 2p 624 1 1 2p 625 1 1 2p 626 1 1 2p 627 1 1 2p 628 1 1 2p 629 1 1 2p " +
  "62a 1 1 2p 62b 1 1 2p 62c 1 1 2p 62d 1 1 2p 62e 1 1 2p 62f 1 1 2p 62g 1 1 2t 62h 1 1 2t 62i 1 1 2t " +
  "62j 1 1 2t 62k 1 1 2t 62l 1 1 2t 62m 1 1 2t 62n 1 1 2t 62o 1 1 2t 62p 1 1 2t 62q 1 1 2t 62r 1 1 2t " +
  "62s 1 1 2t 62t 1 1 2t 62u 1 1 2t 62v 1 1 2t 62w 1 1 2x 62x 1 1 2x 62y 1 1 2x 62z 1 1 2x 630 1 1 33 " +
  "631 1 1 33 632 1 1 33 633 1 1 33 634 1 1 33 635 1 1 33 636 1 1 33 637 1 1 33 638 1 1 33 639 1 1 33 " +
  "63a 1 1 33 63b 1 1 33 63c 1 1 33 63d 1 1 33 63e 1 1 33 63f 1 1 33 63g 1 1 33 63h 1 1 33 63i 1 1 33 " +
  "63j 1 1 33 63k 1 1 33 63l 1 1 33 63m 1 1 33 63n 1 1 33 63o 1 1 39 63p 1 1 39 63q 1 1 39 63r 1 1 39 " +
  "63s 1 1 39 63t 1 1 39 63u 1 1 39 63v 1 1 39 63w 1 1 39 63x 1 1 39 63y 1 1 39 63z 1 1 39 640 1 1 39 " +
  "641 1 1 39 642 1 1 3d 643 1 1 3d 644 1 1 3d 645 1 1 3d 646 1 1 3d 647 1 1 3d 648 1 1 3d 649 1 1 3d " +
  "64a 3 2 64b 64o 8 1 64g 654 6 1 64w 65k 8 1 65c 660 8 1 65s 66g 6 1 668 66x 4 2 66p 67c 8 1 674 688 " +
  "8 1 680 68o 8 1 68g 694 8 1 68w 69k 2 1 69c 69m 2 1 67k 69o 1 1 69f 69q 1 1 qh 6a0 4 1 67m 6a4 1 1 " +
  "69v 6ag 2 1 6a8 6ai 2 1 67q 6aw 2 1 6ao 6ay 2 1 67u 6b0 1 1 6at 6bc 2 1 67s 6be 2 1 67w 6bg 1 1 6b7 " +
  "6jq 1 1 qx 6ju 1 1 2z 6jv 1 1 2p 6k2 1 1 6ku 6lc g 1 6ls 6mb 1 1 6mc 8ow 1b 1 8q8 8rk 1 1 8rl 8rm 1 " +
  "1 h7 8rn 1 1 5tp 8ro 1 1 hp 8rr 3 2 8rs 8rx 1 1 gh 8ry 1 1 hd 8rz 1 1 gg 8s0 1 1 gi 8s2 1 1 8s3 8s5 " +
  "1 1 8s6 8se 2 1 fz 8sg 1e 2 8sh 8vf 2 2 8vg 8vm 1 1 8vn wu8 n 2 wu9 ww0 c 2 ww1 x0i 7 2 x0j x0y v 2 " +
  "x0z x2x 2 2 x2y x31 1 1 5tl x32 5 2 x33 x3f 1 1 x3g x3h 1 1 h1 x3k 2 2 x3l x40 5 2 x41 x4a 1 1 h2 " +
  "1ee9 q 1 1ef5 1fcw 14 1 1fe0";
