/*
 * Starts the reference page: fetches the document that the server made for it and passes it to the renderer. Every
 * option that would call another host is off.
 */

/** The address in the samples; replaced by the page's own origin. */
const ADDRESS_IN_SAMPLES = 'http://127.0.0.1:3000';

async function start() {
  const answer = await fetch('/api/docs/static/reference.json');
  const { document: content, apiKey } = JSON.parse(
    (await answer.text()).replaceAll(ADDRESS_IN_SAMPLES, window.location.origin),
  );
  const [scheme] = Object.keys(content.components.securitySchemes);
  window.Scalar.createApiReference('#reference', {
    content,
    slug: 'broker-api',
    authentication: {
      preferredSecurityScheme: scheme,
      securitySchemes: { [scheme]: { token: apiKey ?? '' } },
    },
    // The document has samples of its own, all of them tested.
    hiddenClients: true,
    // This document is for the page only; the introduction links to the one for tools.
    documentDownloadType: 'none',
    orderSchemaPropertiesBy: 'preserve',
    modelsSectionLabel: 'Schemas',
    defaultOpenFirstTag: false,
    persistAuth: false,
    telemetry: false,
    withDefaultFonts: false,
    showDeveloperTools: 'never',
    hideClientButton: true,
    agent: { disabled: true },
    mcp: { disabled: true },
  });
}

start().catch((error) => {
  document.querySelector('#reference').textContent = `The reference could not be loaded: ${error.message}`;
});
