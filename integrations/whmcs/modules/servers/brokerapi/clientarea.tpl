{* The overview of a product, in place of the theme's: what a client needs first stands first. Values are escaped: names
   and notes come from outside. What WHMCS itself prints, such as amounts and dates, is as the theme prints it. *}
<div class="card mb-3" id="brokerService">
  <div class="card-body">
    <div class="d-flex justify-content-between align-items-start mb-3">
      <div>
        <h3 class="card-title mb-0">{$product|default:$text.service}</h3>
        {if !empty($groupname)}<small class="text-muted d-none d-sm-block">{$groupname}</small>{/if}
      </div>
      {if $broker}
      {assign var=look value="label status status-{$broker.status}"}
      {if $broker.status === 'pending'}{assign var=look value='badge badge-info'}{/if}
      <span class="ml-2 {$look|escape}">{$broker.state|escape}</span>
      {else}
      <span class="ml-2 label status status-{$rawstatus|default:'pending'|lower}">{$status|default:''}</span>
      {/if}
    </div>
    {if !$broker}
    <p class="mb-0">{$text.your_server_is_being_set_up|escape}</p>
    {else}
    {if $broker.underway}
    <div class="alert alert-info px-3 py-2 mb-2">
      {foreach $broker.underway as $line}<div>{$line|escape}</div>{/foreach}
    </div>
    {/if}
    {if !$broker.access}
    {if $broker.status === 'pending'}<p class="mb-0">{$text.your_server_is_being_set_up|escape}</p>{/if}
    {else}
    <dl class="row no-gutters mb-0">
      {if $broker.access.ip_addresses}
      {assign var=label value=$text.addresses}
      {if count($broker.access.ip_addresses) === 1}{assign var=label value=$text.address}{/if}
      <dt class="col-5 col-sm-4 pr-2">{$label|escape}</dt>
      <dd class="col-7 col-sm-8 mb-1 text-break text-monospace">
        {foreach $broker.access.ip_addresses as $address}<div>{$address|escape}</div>{/foreach}
      </dd>
      {/if}
      {if $broker.access.hostname}
      <dt class="col-5 col-sm-4 pr-2">{$text.host_name|escape}</dt>
      <dd class="col-7 col-sm-8 mb-1 text-break">{$broker.access.hostname|escape}</dd>
      {/if}
      {if $broker.access.username}
      <dt class="col-5 col-sm-4 pr-2">{$text.user_name|escape}</dt>
      <dd class="col-7 col-sm-8 mb-1 text-break text-monospace">{$broker.access.username|escape}</dd>
      {/if}
    </dl>
    {/if}
    {if $broker.loginurl || $broker.hascredentials}
    <div class="mt-2">
      {if $broker.loginurl}
      <a class="btn btn-primary mb-2" href="{$broker.loginurl|escape}" target="_blank" rel="noopener noreferrer">
        <i class="fas fa-sign-in-alt fa-fw" aria-hidden="true"></i> {$text.sign_in|escape}
      </a>
      {/if}
      {if $broker.hascredentials}
      <form class="d-inline-block" method="post" action="clientarea.php?action=productdetails">
        <input type="hidden" name="token" value="{$token|default:''|escape}">
        <input type="hidden" name="id" value="{$serviceid|escape}">
        <input type="hidden" name="modop" value="custom">
        <input type="hidden" name="a" value="credentials">
        <button class="btn btn-default mb-2">
          <i class="fas fa-key fa-fw" aria-hidden="true"></i> {$text.show_credentials|escape}
        </button>
      </form>
      {/if}
    </div>
    {/if}
    {if $broker.access && $broker.access.notes}
    <p class="text-break mt-2 mb-2"><strong>{$text.notes|escape}:</strong> {$broker.access.notes|escape|nl2br}</p>
    {/if}
    {if $broker.actions}
    <hr class="mt-2 mb-3">
    {foreach $broker.actions as $action}
    <form class="d-inline-block" method="post" action="clientarea.php?action=productdetails">
      <input type="hidden" name="token" value="{$token|default:''|escape}">
      <input type="hidden" name="id" value="{$serviceid|escape}">
      <input type="hidden" name="modop" value="custom">
      <input type="hidden" name="a" value="action">
      <input type="hidden" name="broker_action" value="{$action.name|escape}">
      <input type="hidden" name="broker_proof" value="{$action.proof|escape}">
      {assign var=look value='btn-default'}
      {if $action.destroys_data}{assign var=look value='btn-outline-danger'}{/if}
      <button class="btn {$look} mb-2" title="{$action.description|default:''|escape}">
        {$action.display_name|escape}
      </button>
    </form>
    {/foreach}
    {/if}
    {/if}
  </div>
</div>

{foreach $hookOutput|default:[] as $output}
<div>{$output}</div>
{/foreach}

<div class="card mb-3" id="brokerBilling">
  <div class="card-body">
    <h3 class="card-title">{$text.billing|escape}</h3>
    {assign var=cycle value=$billingcycle|default:''}
    {assign var=first value=$firstpaymentamount|default:''}
    {assign var=recurring value=$recurringamount|default:''}
    {if $first === $recurring}{assign var=first value=''}{/if}
    {if $cycle === $LANG.orderpaymenttermonetime || $cycle === $LANG.orderfree}{assign var=recurring value=''}{/if}
    {assign var=rows value=[
      [$LANG.clientareahostingregdate, $regdate|default:''],
      [$LANG.firstpaymentamount, $first],
      [$LANG.recurringamount, $recurring],
      [$LANG.orderbillingcycle, $cycle],
      [$LANG.clientareahostingnextduedate, $nextduedate|default:''],
      [$LANG.orderpaymentmethod, $paymentmethod|default:''],
      [$LANG.suspendreason, $suspendreason|default:'']
    ]}
    <dl class="row no-gutters mb-0">
      {foreach $rows as $row}
      {if $row[1]}<dt class="col-5 col-sm-4 pr-2">{$row[0]}</dt><dd class="col-7 col-sm-8 mb-1">{$row[1]}</dd>{/if}
      {/foreach}
      {if !empty($quantitySupported) && $quantity > 1}
      <dt class="col-5 col-sm-4 pr-2">{$LANG.quantity}</dt><dd class="col-7 col-sm-8 mb-1">{$quantity}</dd>
      {/if}
      {foreach $configurableoptions|default:[] as $option}
      <dt class="col-5 col-sm-4 pr-2">{$option.optionname}</dt>
      <dd class="col-7 col-sm-8 mb-1">
        {if $option.optiontype == 3}
        {if $option.selectedqty}{$LANG.yes}{else}{$LANG.no}{/if}
        {else}
        {if $option.optiontype == 4}{$option.selectedqty} x {/if}{$option.selectedoption}
        {/if}
      </dd>
      {/foreach}
      {foreach $customfields|default:[] as $field}
      <dt class="col-5 col-sm-4 pr-2">{$field.name}</dt><dd class="col-7 col-sm-8 mb-1 text-break">{$field.value}</dd>
      {/foreach}
      {if !empty($lastupdate)}
      <dt class="col-5 col-sm-4 pr-2">{$LANG.clientareadiskusage}</dt>
      <dd class="col-7 col-sm-8 mb-1">{$diskusage} MB / {$disklimit} MB</dd>
      <dt class="col-5 col-sm-4 pr-2">{$LANG.clientareabwusage}</dt>
      <dd class="col-7 col-sm-8 mb-1">{$bwusage} MB / {$bwlimit} MB</dd>
      {/if}
    </dl>
    {if !empty($packagesupgrade)}
    <a class="btn btn-success mt-2" href="upgrade.php?type=package&amp;id={$serviceid|escape}">{$LANG.upgrade}</a>
    {/if}
    {if !empty($showRenewServiceButton) && $renewal}
    <a class="btn btn-primary mt-2" href="{$renewal|escape}">{$text.renew|escape}</a>
    {/if}
    {if !empty($showcancelbutton) && !empty($pendingcancellation)}
    <span class="btn btn-outline-danger mt-2 disabled">{$LANG.cancellationrequested}</span>
    {elseif !empty($showcancelbutton)}
    <a class="btn btn-outline-danger mt-2" href="clientarea.php?action=cancel&amp;id={$serviceid|escape}">
      {$LANG.clientareacancelrequestbutton}
    </a>
    {/if}
  </div>
</div>
