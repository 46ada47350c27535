#!/usr/bin/env bash
# Smarty 4.3.0 and Twig 3.5.1 (Debian 12) on PHP 8.2: `==` between two texts of a template compares them as numbers where both
# look like one. A list that marks the current choice with `{if $value == $current}` marks several, and the browser sends the
# last of them: version 1.20 in place of 1.2, 8.10 in place of 8.1. Values from JSON, which are texts there, do not help.
#
# Expected: templates know no types, so that `==` compares what is printed: one of four choices is selected.
# Seen: "1.2" == "1.20" and "1.2" == "01.2" hold in both; "1.2" == "v1.2" does not. `===` in Smarty and `is same as` in Twig
# select one.
set -euo pipefail
cd "$(mktemp -d)"
apt-get update -qq
for package in smarty4=4.3.0-1\* php-twig=3.5.1-1\*; do apt-get download -qq "$package"; done
for file in ./*.deb; do dpkg -x "$file" root; done
command -v php >/dev/null || DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends php-cli >/dev/null
dpkg-deb -f smarty4_*.deb Version && dpkg-deb -f php-twig_*.deb Version && php -r 'echo PHP_VERSION, "\n";'
cat >run.php <<'PHP'
<?php
require 'root/usr/share/php/smarty4/Smarty.class.php';
spl_autoload_register(function (string $class): void {
    $file = 'root/usr/share/php/' . strtr($class, '\\', '/') . '.php';
    if (is_file($file)) {
        require $file;
    }
});
$values = json_decode('{"current": "1.2", "all": ["1.2", "1.20", "01.2", "v1.2"]}', true);
$smarty = new Smarty();
$smarty->setCompileDir('compiled')->assign($values);
$twig = new Twig\Environment(new Twig\Loader\ArrayLoader([]));
foreach (['==', '==='] as $sign) {
    echo "Smarty $sign:", $smarty->fetch("string:{foreach \$all as \$one}{if \$one $sign \$current} {\$one}{/if}{/foreach}"), "\n";
}
foreach (['==', 'is same as'] as $sign) {
    $template = $twig->createTemplate("{% for one in all %}{% if one $sign(current) %} {{ one }}{% endif %}{% endfor %}");
    echo "Twig $sign:", $template->render($values), "\n";
}
PHP
php run.php | tee seen
grep -qxF 'Smarty ==: 1.2 1.20 01.2' seen
grep -qxF 'Smarty ===: 1.2' seen
grep -qxF 'Twig ==: 1.2 1.20 01.2' seen
grep -qxF 'Twig is same as: 1.2' seen
echo 'as stated'
