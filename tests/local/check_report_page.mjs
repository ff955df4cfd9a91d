// The HTML report in headless Chromium: no request outside its folder, no console error, and axe-core's accessibility
// rules. Needs `npm install puppeteer-core axe-core` and a chromium. Usage: node check_report_page.mjs FOLDER|FILE [CHROMIUM]
import { createRequire } from 'node:module';
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

const require = createRequire(resolve('package.json'));
const puppeteer = require('puppeteer-core');
const target = resolve(process.argv[2]);
const page_file = statSync(target).isDirectory() ? target + '/index.html' : target;
const chromium = process.argv[3] ?? ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);
const browser = await puppeteer.launch({ executablePath: chromium, args: ['--no-sandbox'] });
const page = await browser.newPage();
const problems = [];
const folder = 'file://' + encodeURI(page_file.slice(0, page_file.lastIndexOf('/') + 1));
page.on('request', (r) => {
  if (!r.url().startsWith('data:') && !r.url().startsWith(folder)) problems.push('request: ' + r.url());
});
page.on('requestfailed', (r) => problems.push('failed: ' + r.url()));
page.on('console', (m) => { if (m.type() === 'error') problems.push('console: ' + m.text()); });
page.on('pageerror', (e) => problems.push('script: ' + e));
await page.goto('file://' + encodeURI(page_file), { waitUntil: 'load' });
const pictures = await page.evaluate(() =>
  [...document.images].map((i) => [i.complete && i.naturalWidth > 0, i.alt.length > 10]));
for (const [drawn, named] of pictures) if (!drawn || !named) problems.push('an image is broken or has no text');
await page.addScriptTag({ path: require.resolve('axe-core/axe.min.js') });
const result = await page.evaluate(() => axe.run(document));
for (const v of result.violations) problems.push(`axe ${v.id} (${v.impact}): ${v.help}: ${v.nodes[0].html.slice(0, 200)}`);
if (process.argv[4]) await page.pdf({ path: process.argv[4], format: 'A4', printBackground: true });
if (process.argv[5]) await page.screenshot({ path: process.argv[5], fullPage: true });
await browser.close();
console.log(`${pictures.length} pictures, ${result.passes.length} accessibility rules passed`);
for (const problem of problems) console.log(problem);
process.exit(problems.length ? 1 : 0);
