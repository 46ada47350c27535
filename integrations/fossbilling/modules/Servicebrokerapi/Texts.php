<?php
/** The module's texts in the reader's language: FOSSBilling's own translation where it has the text, else `locale/`. */
declare(strict_types=1);

namespace Box\Mod\Servicebrokerapi;

final class Texts
{
    /** Those that templates show. */
    private const SHOWN = [
        'Your server', 'State', 'Under way', 'Host name', 'Address', 'User name', 'Plan', 'Notes', 'Sign in', 'Actions',
        'Show logins', 'Login', 'Password', 'I know that its data will be lost', 'Choose', 'Yes',
        'The address appears here once the server is built.', 'Done. It takes effect shortly.',
    ];

    /** @var array<string, array<string, string>> texts by English ones, by language */
    private static array $read = [];

    public static function translate(string $english, array $values = []): string
    {
        $text = function_exists('__trans') ? __trans($english) : $english;
        if ($text === $english) {
            $text = self::in(self::language())[$english] ?? $english;
        }
        return strtr($text, $values);
    }

    /** @return array<string, string> what templates show, by the English texts */
    public static function all(): array
    {
        return array_combine(self::SHOWN, array_map(self::translate(...), self::SHOWN));
    }

    /** The first two letters of FOSSBilling's locale, which its translation was set up with. */
    private static function language(): string
    {
        $locale = function_exists('_setlocale') ? (string) _setlocale(5, '') : '';
        return strtolower(substr($locale, 0, 2));
    }

    private static function in(string $language): array
    {
        $file = __DIR__ . "/locale/$language.php";
        $isLanguage = preg_match('/^[a-z]{2}$/D', $language) === 1;
        return self::$read[$language] ??= $isLanguage && is_file($file) ? require $file : [];
    }
}
