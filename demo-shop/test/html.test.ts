import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { html, markupOf } from '../src/http/html.ts';

describe('html', () => {
  it('escapes every value, in text and in attributes', () => {
    const evil = `"><script>alert('x')</script>&`;
    assert.equal(
      markupOf(html`<a title="${evil}">${evil}</a>`),
      '<a title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;">' +
        '&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;</a>',
    );
  });

  it('inserts templates and lists of templates unescaped, and nothing for absent values', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
    const nothing = [null, undefined, false] as const;
    assert.equal(
      markupOf(html`<ul>${items}${nothing}</ul>${0}`),
      '<ul><li>a</li><li>&lt;b&gt;</li></ul>0',
    );
  });

  it('refuses an object that imitates markup', () => {
    const forged = JSON.parse('{"markup":"<script>"}');
    assert.throws(() => markupOf(html`${forged}`));
  });
});
