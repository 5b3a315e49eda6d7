"""Import names whose distribution is called differently; data for `distributions`.

Each line is an import name, then the distributions that provide it: the first is taken where the
repository declares none of the others. Names that differ only in case, `-` and `_` need no line
unless several distributions provide them; nor does a part of a namespace whose distribution is
called as it is imported.
"""

from __future__ import annotations

_TABLE = """
_cffi_backend               cffi
_mysql                      mysqlclient
_pytest                     pytest
_ruamel_yaml                ruamel.yaml.clib
_yaml                       PyYAML
adminsortable2              django-admin-sortable2
ahocorasick                 pyahocorasick
airflow                     apache-airflow
allauth                     django-allauth
alsaaudio                   pyalsaaudio
antlr4                      antlr4-python3-runtime
ants                        antspyx
apiclient                   google-api-python-client
appium                      Appium-Python-Client
AppKit                      pyobjc-framework-Cocoa
archivist                   datatrails-archivist rkvst-archivist
argon2                      argon2-cffi
asynchat                    pyasynchat
asyncore                    pyasyncore
attr                        attrs
autogen                     autogen pyautogen ag2
azure.storage.filedatalake  azure-storage-file-datalake
azure.storage.fileshare     azure-storage-file-share
barcode                     python-barcode
base62                      pybase62
bidi                        python-bidi
billboard                   billboard.py
Bio                         biopython
bitcoinutils                bitcoin-utils
bluetooth                   PyBluez
board                       Adafruit-Blinka
borg                        borgbackup
box                         python-box
bs4                         beautifulsoup4
bson                        pymongo bson
busio                       Adafruit-Blinka
cairo                       pycairo
camelot                     camelot-py
can                         python-can
capnp                       pycapnp
captcha                     captcha django-simple-captcha django-recaptcha
cassandra                   cassandra-driver scylla-driver
cgi                         legacy-cgi
chef                        PyChef
chess                       chess python-chess
chromadb                    chromadb chromadb-client
cinderclient                python-cinderclient
ckeditor                    django-ckeditor
clang                       libclang clang
clr                         pythonnet
cms                         django-cms
colour                      colour colour-science
community                   python-louvain
compressor                  django-compressor
constance                   django-constance
consul                      python-consul python-consul2 py-consul
corsheaders                 django-cors-headers
cpuinfo                     py-cpuinfo
crispy_forms                django-crispy-forms
crontab                     python-crontab crontab
Crypto                      pycryptodome pycrypto
Cryptodome                  pycryptodomex
cupy                        cupy cupy-cuda12x cupy-cuda11x
curator                     elasticsearch-curator
cv2 opencv-python opencv-python-headless opencv-contrib-python opencv-contrib-python-headless
daemon                      python-daemon
databricks.sdk              databricks-sdk
databricks.sql              databricks-sql-connector
dateutil                    python-dateutil
dbus                        dbus-python
debug_toolbar               django-debug-toolbar
decouple                    python-decouple
delta                       delta-spark
dicom                       pydicom
digitalio                   Adafruit-Blinka
discogs_client              python3-discogs-client
discord                     discord.py py-cord
distutils                   setuptools
django_filters              django-filter
dns                         dnspython
docker                      docker docker-py
docopt                      docopt docopt-ng
docx                        python-docx
dot_parser                  pydot
dotenv                      python-dotenv
editor                      python-editor
elftools                    pyelftools
em                          empy
engineio                    python-engineio
environ                     django-environ environ-config
escpos                      python-escpos
etcd                        python-etcd
facebook                    facebook-sdk
factory                     factory-boy
faiss                       faiss-cpu faiss-gpu
fasttext                    fasttext fasttext-wheel
ffmpeg                      ffmpeg-python python-ffmpeg
fitz                        PyMuPDF
flask_bootstrap             Flask-Bootstrap Bootstrap-Flask
Foundation                  pyobjc-framework-Cocoa
frontmatter                 python-frontmatter
fuse                        fusepy fuse-python
gflags                      python-gflags
gi                          PyGObject
git                         GitPython
github                      PyGithub
gitlab                      python-gitlab
glanceclient                python-glanceclient
gnupg                       python-gnupg
google.ads.googleads        google-ads
google.api                  googleapis-common-protos
google.appengine            appengine-python-standard
google.cloud                google-cloud-core
google.cloud.client         google-cloud-core
google.cloud.exceptions     google-cloud-core
google.cloud.resourcemanager google-cloud-resource-manager
google.cloud.secretmanager  google-cloud-secret-manager
google.cloud.sql            cloud-sql-python-connector
google.iam                  grpc-google-iam-v1
google.logging              googleapis-common-protos
google.longrunning          googleapis-common-protos
google.oauth2               google-auth
google.protobuf             protobuf
google.rpc                  googleapis-common-protos
google.type                 googleapis-common-protos
googleapiclient             google-api-python-client
googlesearch                googlesearch-python
graphql                     graphql-core
gridfs                      pymongo
grpc                        grpcio
grpc_health                 grpcio-health-checking
grpc_reflection             grpcio-reflection
grpc_status                 grpcio-status
grpc_tools                  grpcio-tools
guardian                    django-guardian
hamcrest                    PyHamcrest
haystack                    farm-haystack haystack-ai django-haystack
heatclient                  python-heatclient
hid                         hidapi hid
hydra                       hydra-core
igraph                      igraph python-igraph
imblearn                    imbalanced-learn
imdb                        cinemagoer IMDbPY
impala                      impyla
import_export               django-import-export
iptc                        python-iptables
iris                        scitools-iris
iso639                      iso-639 python-iso639 iso639-lang
jenkins                     python-jenkins
jks                         pyjks
jose                        python-jose
jpype                       JPype1
jsonfield                   jsonfield django-jsonfield
jsonrpc                     json-rpc
jwt                         PyJWT
kafka                       kafka-python kafka-python-ng
kasa                        python-kasa
kernprof                    line-profiler
keycloak                    python-keycloak
keystone                    keystone-engine
keystoneclient              python-keystoneclient
knox                        django-rest-knox
lark                        lark lark-parser
ldap                        python-ldap
Levenshtein                 levenshtein python-Levenshtein
libvirt                     libvirt-python
linebot                     line-bot-sdk
llama_cpp                   llama-cpp-python
locust                      locust locustio
logstash                    python-logstash
lzo                         python-lzo
magic                       python-magic python-magic-bin
markdown_it                 markdown-it-py
memcache                    python-memcached
miio                        python-miio
model_utils                 django-model-utils
modelcluster                django-modelcluster
mpd                         python-mpd2
mpl_toolkits                matplotlib
mpl_toolkits.basemap        basemap
mptt                        django-mptt
mpv                         python-mpv mpv
msgpack                     msgpack msgpack-python
multipart                   python-multipart multipart
mysql                       mysql-connector-python mysql-connector
mysql.connector             mysql-connector-python mysql-connector
MySQLdb                     mysqlclient
nacl                        PyNaCl
nats                        nats-py
neo4j                       neo4j neo4j-driver
neutronclient               python-neutronclient
newspaper                   newspaper3k newspaper4k
nmap                        python-nmap
novaclient                  python-novaclient
oauth2_provider             django-oauth-toolkit
objc                        pyobjc-core
odf                         odfpy
ogr                         GDAL
onelogin                    python3-saml
onnxruntime                 onnxruntime onnxruntime-gpu
open_clip                   open-clip-torch
OpenGL                      PyOpenGL
openid                      python3-openid python-openid
opensearchpy                opensearch-py
openslide                   openslide-python
OpenSSL                     pyOpenSSL
openstack                   openstacksdk
opentelemetry               opentelemetry-api
opentelemetry.sdk           opentelemetry-sdk
opentelemetry.semconv       opentelemetry-semantic-conventions
osgeo                       GDAL
osr                         GDAL
paho                        paho-mqtt
pam                         python-pam
past                        future
path                        path path.py
patoolib                    patool
pdfminer                    pdfminer.six pdfminer
phonenumber_field           django-phonenumber-field
PIL                         pillow pillow-simd
pinecone                    pinecone pinecone-client
pipeline                    django-pipeline
pkg_resources               setuptools
playhouse                   peewee
polymorphic                 django-polymorphic
pptx                        python-pptx
prctl                       python-prctl
progressbar                 progressbar2 progressbar progressbar33
psycopg2                    psycopg2-binary psycopg2
pubsub                      PyPubSub
pwiz                        peewee
pwn                         pwntools
pwnlib                      pwntools
pxssh                       pexpect
pybloomfilter               pybloomfiltermmap3 pybloomfiltermmap
pybullet_data               pybullet
pybullet_envs               pybullet
pycocotools                 pycocotools pycocotools-windows
pylab                       matplotlib
pynvml                      nvidia-ml-py pynvml
pysat                       python-sat
pysnmp                      pysnmp pysnmp-lextudio
pysqlite2                   pysqlite
pythoncom                   pywin32
pythonjsonlogger            python-json-logger
pywintypes                  pywin32
pywt                        PyWavelets
pyximport                   Cython
Quartz                      pyobjc-framework-Quartz
quaternion                  numpy-quaternion
rapidjson                   python-rapidjson
readability                 readability-lxml
redis_lock                  python-redis-lock
rest_framework              djangorestframework
rest_framework_nested       drf-nested-routers
rest_framework_simplejwt    djangorestframework-simplejwt
reversion                   django-reversion
robot                       robotframework
RPi                         RPi.GPIO
saml2                       pysaml2
sass                        libsass
serial                      pyserial
serpapi                     google-search-results serpapi
servicemanager              pywin32
shapefile                   pyshp
simple_history              django-simple-history
skbio                       scikit-bio
skcuda                      scikit-cuda
skfuzzy                     scikit-fuzzy
skimage                     scikit-image
sklearn                     scikit-learn
skmultilearn                scikit-multilearn
skopt                       scikit-optimize
sksparse                    scikit-sparse
skvideo                     scikit-video
slack                       slackclient
slugify                     python-slugify unicode-slugify awesome-slugify
snap7                       python-snap7
snappy                      python-snappy
snowflake.connector         snowflake-connector-python
snowflake.snowpark          snowflake-snowpark-python
social_django               social-auth-app-django
socketio                    python-socketio
sockjs                      sockjs sockjs-tornado
socks                       PySocks
sorl                        sorl-thumbnail
speech_recognition          SpeechRecognition
statsd                      statsd python-statsd
stdnum                      python-stdnum
stl                         numpy-stl
stomp                       stomp.py
storages                    django-storages
strawberry                  strawberry-graphql
suds                        suds-community suds suds-jurko
superset                    apache-superset
surprise                    scikit-surprise
swiftclient                 python-swiftclient
tabula                      tabula-py
taggit                      django-taggit
talib                       TA-Lib
tap                         typed-argument-parser
telebot                     pyTelegramBotAPI
telegram                    python-telegram-bot
tensorflow                  tensorflow tensorflow-cpu tensorflow-gpu tensorflow-macos
tlz                         toolz
tortoise                    tortoise-orm
tree                        dm-tree
treebeard                   django-treebeard
twitter                     python-twitter twitter
u2flib_server               python-u2flib-server
umap                        umap-learn
usb                         pyusb
usb1                        libusb1
uwsgidecorators             uWSGI
valve                       python-valve
vcr                         vcrpy
virtualenvapi               virtualenv-api
vlc                         python-vlc
vtkmodules                  vtk
waffle                      django-waffle
weaviate                    weaviate-client
webdav3                     webdavclient3
websocket                   websocket-client
whisper                     openai-whisper
whois                       python-whois whois
whoosh                      Whoosh Whoosh-Reloaded
wikipediaapi                Wikipedia-API
win32api                    pywin32
win32clipboard              pywin32
win32com                    pywin32
win32con                    pywin32
win32cred                   pywin32
win32crypt                  pywin32
win32event                  pywin32
win32evtlog                 pywin32
win32file                   pywin32
win32gui                    pywin32
win32job                    pywin32
win32net                    pywin32
win32pdh                    pywin32
win32pipe                   pywin32
win32print                  pywin32
win32process                pywin32
win32profile                pywin32
win32security               pywin32
win32service                pywin32
win32serviceutil            pywin32
win32timezone               pywin32
win32ts                     pywin32
win32ui                     pywin32
win32uiole                  pywin32
winerror                    pywin32
winpty                      pywinpty
winrm                       pywinrm
winxpgui                    pywin32
wx                          wxPython
xdg                         pyxdg xdg
xdist                       pytest-xdist
Xlib                        python-xlib
yaml                        PyYAML
yaml_include                pyyaml-include
yara                        yara-python
z3                          z3-solver
zmq                         pyzmq
"""

_NAMESPACES = """
azure                           2
azure.ai                        3
azure.cognitiveservices         3
azure.cognitiveservices.vision  4
azure.communication             3
azure.data                      3
azure.iot                       3
azure.keyvault                  3
azure.mgmt                      3
azure.monitor                   3
azure.search                    3
azure.storage                   3
backports                       2
collective                      2
dogpile                         2
flufl                           2
google                          2
google.cloud                    3
jaraco                          2
opentelemetry.exporter          3
opentelemetry.instrumentation   3
opentelemetry.propagator        3
plone                           2
repoze                          2
ruamel                          2
sphinxcontrib                   2
zope                            2
"""

_DOTTED = "backports collective dogpile flufl jaraco plone repoze ruamel zope"

_NOT_DISTRIBUTED = """
__main__ _typeshed annotationlib compression profiling test
BaseHTTPServer ConfigParser Cookie HTMLParser Queue SimpleHTTPServer SocketServer StringIO Tkinter
UserDict __builtin__ _winreg cPickle cStringIO commands cookielib dummy_thread dummy_threading
exceptions htmlentitydefs httplib md5 robotparser sets sha thread tkMessageBox urllib2
urlparse xmlrpclib
c4d gdb gimpfu hou idaapi idautils idc maya nuke pymxs sublime sublime_plugin unreal vim
"""

DISTRIBUTIONS: dict[str, tuple[str, ...]] = {
    name: tuple(found) for name, *found in (line.split() for line in _TABLE.split("\n") if line)
}
"""Import name, dotted in namespaces → the distributions that provide it."""

NAMESPACES: dict[str, int] = {
    name: int(depth) for name, depth in (line.split() for line in _NAMESPACES.split("\n") if line)
}
"""Namespace shared by several distributions → how many parts of a name below it call one."""

DOTTED_NAMESPACES = frozenset(_DOTTED.split())
"""Namespaces whose distributions are written with dots; the others' are with hyphens."""

NOT_DISTRIBUTED = frozenset(_NOT_DISTRIBUTED.split())
"""Modules that no package index has: Python's own, also of later versions, Python 2's, and those of
programs with a Python inside."""

GONE_FROM = {"pkg_resources": "<81"}
"""Modules that the newest releases of their distribution lack, each with the last that have it."""
