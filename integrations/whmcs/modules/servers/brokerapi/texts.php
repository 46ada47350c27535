<?php
/**
 * What clients read, in their language: the files in lang/ have the form of WHMCS's own. A text of the same key in
 * WHMCS's lang/overrides is taken first.
 */
declare(strict_types=1);

/** @return array<string, string> by keys without `brokerapi_`, for templates */
function brokerapi_texts(array $params): array
{
    $chosen = ($_SESSION['Language'] ?? '') ?: ($params['clientsdetails']['language'] ?? '');
    $language = preg_replace('/[^a-z-]/', '', strtolower((string) $chosen));
    $own = brokerapi_language($language) + brokerapi_language('english');
    $overrides = array_intersect_key((array) ($GLOBALS['_LANG'] ?? []), $own);
    $texts = [];
    foreach (array_filter($overrides, 'is_string') + $own as $key => $text) {
        $texts[substr($key, strlen('brokerapi_'))] = $text;
    }
    return $texts;
}

function brokerapi_language(string $language): array
{
    $_LANG = [];
    $file = __DIR__ . "/lang/$language.php";
    if ($language !== '' && is_file($file)) {
        require $file;
    }
    return $_LANG;
}

/** Says an English text of panel.php or of this module in the client's language: its words are the key. */
function brokerapi_translator(array $params): callable
{
    $texts = brokerapi_texts($params);
    return static function (string $text, array $values = []) use ($texts): string {
        $key = trim(preg_replace('/[^a-z0-9]+/', '_', strtolower($text)), '_');
        return strtr($texts[$key] ?? $text, $values);
    };
}
