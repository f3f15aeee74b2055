// The same bytes for everybody: it holds nothing of the person's, so it needs no credentials.
export const SHELL = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Bearings</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page.css">
<script src="/page.js" type="module"></script>
</head>
<body><div id="page"></div><noscript>This page needs JavaScript. In a terminal: bearings review</noscript></body>
</html>
`;

export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="13" fill="none" stroke="#3b6ea5" stroke-width="2.5"/><path d="M20.5 6.5 18 18l-6.500 7.500L14 14z" fill="#3b6ea5"/></svg>`;
