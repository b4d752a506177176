import { type Html, html } from '../http/html.ts';

/** Drawings of the products: plain shapes in the colours of the style sheet. */
export type PictureName =
  | 'bag-amber'
  | 'bag-teal'
  | 'bag-indigo'
  | 'bag-rose'
  | 'kettle'
  | 'dripper'
  | 'cups'
  | 'filters';

export function picture(name: PictureName): Html {
  const [shape = '', colour = ''] = name.split('-');
  const drawing = SHAPES[shape] ?? SHAPES.cups;
  return html`<svg class="picture ${colour}" viewBox="0 0 120 120" aria-hidden="true"
 focusable="false">${drawing}</svg>`;
}

const SHAPES: Readonly<Record<string, Html>> = {
  bag: html`<path class="ground" d="M22 104h76"/>
<path class="main" d="M38 26h44l6 10v62a6 6 0 0 1-6 6H38a6 6 0 0 1-6-6V36z"/>
<path class="deep" d="M38 26h44l6 10H32z"/><path class="deep" d="M44 18h32v8H44z"/>
<rect class="paper" x="42" y="52" width="36" height="36" rx="3"/>
<path class="main" d="M60 58c8 0 11 6 11 12s-4 12-11 12-11-6-11-12 3-12 11-12z"/>
<path class="crack" d="M62 59c-6 7 3 14-3 22"/>`,
  kettle: html`<path class="ground" d="M14 104h92"/>
<path class="steel" d="M42 52h40l8 46a6 6 0 0 1-6 6H40a6 6 0 0 1-6-6z"/>
<path class="line" d="M37 88C18 88 28 46 14 40"/>
<path class="line thick" d="M86 60c18-4 22 24 4 30"/>
<path class="dark" d="M40 44h44a2 2 0 0 1 2 2v8H38v-8a2 2 0 0 1 2-2z"/>
<circle class="dark" cx="62" cy="38" r="6"/>`,
  dripper: html`<path class="ground" d="M20 104h80"/>
<path class="paper" d="M28 22h64L70 62H50z"/>
<path class="main" d="M30 34h60L70 66H50z"/><path class="main" d="M36 66h48v6H36z"/>
<path class="line" d="M88 40c14-2 12 20-6 16"/>
<path class="glass" d="M42 78h36l4 20a6 6 0 0 1-6 6H44a6 6 0 0 1-6-6z"/>
<path class="coffee" d="M40 90h40l2 8a6 6 0 0 1-6 6H44a6 6 0 0 1-6-6z"/>
<path class="drop" d="M60 72v8"/>`,
  cups: html`<path class="ground" d="M10 104h100"/>
<path class="main" d="M16 62h38v26a16 16 0 0 1-16 16h-6a16 16 0 0 1-16-16z"/>
<path class="line thick" d="M54 70c14-4 14 18 0 16"/>
<path class="deep" d="M64 62h38v26a16 16 0 0 1-16 16h-6a16 16 0 0 1-16-16z"/>
<path class="line thick" d="M102 70c12-4 12 18 0 16"/>
<path class="steam" d="M28 50c-5-7 5-9 0-17M42 50c-5-7 5-9 0-17"/>
<path class="steam" d="M76 50c-5-7 5-9 0-17M90 50c-5-7 5-9 0-17"/>`,
  filters: html`<path class="ground" d="M16 104h88"/>
<path class="paper edge" d="M24 34h58L66 100H42z"/>
<path class="paper edge" d="M32 30h58L74 96H50z"/><path class="paper edge" d="M40 26h58L82 92H58z"/>
<path class="line" d="M69 34v50M58 34l8 48M80 34l-8 48"/>`,
};
