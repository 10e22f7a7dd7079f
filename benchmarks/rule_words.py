"""Words that made rules are put together from: common in code and in prose about it, so that they are often met."""

from __future__ import annotations

_WORDS = """
    abstract accept access account action active adapter address admin advice alias allow amount angle answer append
    apply archive argument array article assert assign async atomic attach attempt author await backend balance banner
    batch because before behind binary block board bound branch bridge broken browser bucket budget buffer build button
    cache calendar call cancel capital capture carry catalog category center chain change channel charge check child
    choice circle class clean client clock close cluster code collect color column combine command comment commit
    common compare compile complete compute concept config connect consume contact contain content context control
    convert cookie copy corner correct count cover create credit current cursor custom daemon database dataset date
    debug decide declare decode decorate default define delay delete deliver demand deploy derive describe design
    detail detect device digest direct disable discard display divide document domain double download draft driver
    during dynamic early edge editor effect element embed enable encode endpoint engine ensure entity entry equal error
    escape event every exact example except exchange exclude execute expand expect expire explain export express extend
    extra factory failure fallback feature fetch field figure filter final finish fixture flag folder follow force
    foreign format forward frame frequent front function future garbage gather general generate global grant graph
    group handle hardware header health height helper hidden history host ignore image import include increase index
    inherit initial inject inline inner insert inspect instance integer interval invoke isolate iterate journal
    keyword kind label language large latest launch layer layout leader legacy length letter level library limit line
    listen literal load local locate lock logger logic lookup machine manage manual mapping margin marker master match
    material matrix maximum measure member memory merge message method metric middle migrate minimum mirror missing
    mobile model modify module monitor mount multiple mutable name native nearest nested network neutral normal notice
    notify number object observe obtain offset operate option order origin other output outside overlap override owner
    package padding page parallel parent parse partial partner pattern payload pending percent perform period permit
    persist phase physical picture pipeline pixel place plain platform plugin pointer policy pool popular portion
    position prefer prefix prepare present preserve prevent previous primary print private problem process produce
    product profile program project promise proper protect protocol provide proxy public publish purpose quality query
    queue quote random range rapid reader reason receive recent record recover reduce refer refresh region register
    reject relate release reload remain remote remove render repeat replace report request require reset resolve
    resource response restore result retry return reverse review rollback rotate route row runtime safe sample scale
    schedule schema scope score script search second section secure select sender separate sequence serial server
    service session settle several shadow shape share shell signal silent simple single size slice snapshot socket
    sorted source special specify split stable stack stage standard start state static status steady storage store
    stream strict string strong structure style submit subset success suffix suggest supply support surface survey
    switch symbol sync syntax system table target task template temporary tenant terminal thread ticket token toggle
    total touch trace track transfer tree trigger trusted tuple type unique update upload usage useful user utility
    valid value variable vector vendor verify version view virtual visible visit volume wait warning weight wheel
    widget width window within without wizard worker wrapper write yield zone
"""
# Half of the rules are about these, which stand on every page.
_COMMON_WORDS = """
    action admin argument attribute backend block cache call change check class client code column command content
    context count create current database date default delete document error event example field filter form format
    function group handler header image index instance item language level line link list load lookup manager message
    method middleware model module name number object option order output package page parameter parent path pattern
    place print process property query reader record request response result return row schema script search server
    session setting signal size source start state static status storage string support table tag template test text
    time token type update user value version view widget
"""
WORDS, COMMON_WORDS = tuple(_WORDS.split()), tuple(_COMMON_WORDS.split())
# Without vowels no prefix of a key is a word.
PREFIX_LETTERS = "bcdfghjklmnpqrstvwxz"
